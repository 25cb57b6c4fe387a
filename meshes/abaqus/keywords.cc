#include "meshes/abaqus/keywords.h"

#include <algorithm>
#include <cctype>

#include "solver/base/names.h"
#include "solver/base/text_file.h"

namespace symdyn::abaqus
{
std::string upper(std::string word)
{
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

namespace
{
/// "SOLIDSECTION" is "SOLID SECTION": CalculiX knows no blanks in keywords.
std::string keyword_name(const std::string &word, const std::vector<std::string> &all)
{
  const std::string letters = compact(word);
  const auto found = std::find_if(all.begin(), all.end(), [&](const std::string &known) { return compact(known) == letters; });
  return found == all.end() ? upper(trim(word)) : *found;
}
}  // namespace

namespace
{
/// Likewise "TIMEPOINTS" is "TIME POINTS".
std::string option_name(const std::string &word)
{
  static const std::vector<std::string> of_two_words = {"TIME POINTS", "TIME DELAY", "LOAD CASE", "STEADY STATE"};
  const auto found =
      std::find_if(of_two_words.begin(), of_two_words.end(), [&](const std::string &known) { return compact(known) == compact(word); });
  return found == of_two_words.end() ? upper(trim(word)) : *found;
}

/// The words of a line, cut at commas outside of quotes. Parentheses mean nothing in such a file.
std::vector<std::string> words_of(const std::string &text)
{
  std::vector<std::string> words;
  for (std::size_t start = 0, end; start <= text.size(); start = end + 1)
  {
    end = start;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != ','); ++end)
      if (text[end] == '"')
        quoted = quoted ? false : text.find('"', end + 1) != std::string::npos;
    words.push_back(trim(text.substr(start, end - start)));
  }
  return words;
}

/// What decks and results are to name must be text; a comment or a heading may be anything.
void require_text(const Scanner &scanner, const std::string &text)
{
  if (!is_utf8(text))
    scanner.fail(text, "is not text in UTF-8 (perhaps it is Latin-1). Save the file as UTF-8, or write ASCII.");
}
}  // namespace

std::vector<Keyword> keywords(Scanner &scanner, std::vector<Remark> &remarks, std::vector<Line> &notes,
                              const std::vector<std::string> &known)
{
  std::vector<Keyword> all;
  bool continues = false, keyword_lost = false;
  while (scanner.next_line())
  {
    const std::string text(scanner.rest());
    if (text.substr(0, 2) == "**")
    {
      if (const auto colon = text.find(": "); colon != std::string::npos)
        notes.push_back({scanner.line(), {trim(text.substr(2, colon - 2)), trim(text.substr(colon + 1))}});
      continue;
    }
    if (text[0] == '*' || all.empty() || all.back().name != "HEADING")
      require_text(scanner, text);
    std::vector<std::string> words = words_of(text);
    if (text == "*" || (all.empty() && text.substr(0, 3) == ">**"))
    {
      remarks.push_back({scanner.line(), text, "this line is left out, as in CalculiX"});
      keyword_lost = text == "*";
      continues = false;
      continue;
    }
    if (text[0] == '*')
    {
      all.push_back({scanner.line(), keyword_name(words[0].substr(1), known), {}, {}});
      words.erase(words.begin());
      keyword_lost = false;
    }
    else if (keyword_lost)
      scanner.fail(text, "stands behind a line with * alone: no keyword has this line. Write the keyword behind the *, or remove the *.");
    else if (all.empty())
      scanner.fail(text, "an Abaqus file starts with a keyword, such as *HEADING or *NODE.");
    else if (!continues || std::isdigit(static_cast<unsigned char>(text[0])))  // no option begins with a digit
    {
      continues = false;
      all.back().data.push_back({scanner.line(), words});
      continue;
    }
    for (const auto &option : words)
      if (!option.empty())
      {
        const auto equals = option.find('=');
        const std::string name = option_name(option.substr(0, equals));
        if (!all.back().options.emplace(name, equals == std::string::npos ? "" : unquoted(trim(option.substr(equals + 1)))).second)
          scanner.fail(option, "*" + all.back().name + " has the option " + name + " twice. Keep one of them.");
      }
    continues = text.back() == ',';
  }
  return all;
}

const std::map<Shape, std::vector<std::vector<unsigned int>>> faces = {
    {Shape::triangle, {{0, 1}, {1, 2}, {2, 0}}},
    {Shape::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {Shape::tetrahedron, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}},
    {Shape::wedge, {{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}},
    {Shape::hexahedron, {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}}};

namespace
{
struct WayOut
{
  std::string what;
  std::vector<std::string> keywords;
};
/// What stands in a deck's way, and what to do instead.
const std::vector<WayOut> ways_out = {
    {"this law cannot be read from a file. Give *ELASTIC with *PLASTIC or *CREEP, *HYPERELASTIC, or *USER MATERIAL; a .prm deck has more laws",
     {"VISCOELASTIC", "MOHR COULOMB", "CHANGE PLASTIC"}},
    {"parts cannot be joined like this. Tie them by *TIE, or take a mesh whose nodes fit, *CONTACT PAIR, *COUPLING, *RIGID BODY, or *EQUATION between nodes",
     {"DISTRIBUTING COUPLING", "CONTACT", "PRE-TENSION SECTION", "CHANGE CONTACT TYPE", "GAP CONDUCTANCE"}},
    {"membranes and fluid elements cannot be computed. Mesh the body with solids or shells",
     {"MEMBRANE SECTION", "FLUID SECTION", "MEMBRANE"}},
    {"heat, fluids and electromagnetics cannot be computed. Give the temperatures (*TEMPERATURE), or the loads that they amount to",
     {"HEAT TRANSFER",
      "FILM",
      "RADIATE",
      "DFLUX",
      "CFLUX",
      "COUPLED TEMPERATURE-DISPLACEMENT",
      "UNCOUPLED TEMPERATURE-DISPLACEMENT",
      "ELECTROMAGNETICS",
      "FLUID CONSTANTS",
      "SPECIFIC GAS CONSTANT",
      "MASS FLOW",
      "CFD",
      "BOUNDARYF",
      "TRANSFORMF",
      "EQUATIONF",
      "VALUES AT INFINITY",
      "VIEWFACTOR",
      "FACE PRINT",
      "MAGNETIC PERMEABILITY",
      "ELECTRICAL CONDUCTIVITY"}},
    {"sensitivities cannot be computed. Run the deck with changed values, and compare",
     {"DESIGNVARIABLES", "DESIGN VARIABLES", "SENSITIVITY", "OBJECTIVE"}},
    {"one body, which does not change, can be computed. Write a deck of each", {"CHANGE MATERIAL", "CHANGE SOLID SECTION", "SUBMODEL"}}};
}  // namespace

std::string way_out(const std::string &name)
{
  for (const WayOut &way : ways_out)
    if (std::any_of(way.keywords.begin(), way.keywords.end(), [&](const std::string &one) { return compact(one) == compact(name); }))
      return way.what + ". docs/inp.md says what is read.";
  return "";
}

void refuse_unknown(const Scanner &scanner, const Keyword &keyword, const std::vector<std::string> &all)
{
  if (const std::string instead = way_out(keyword.name); !instead.empty())
    scanner.fail_at(keyword.line, "*" + keyword.name, instead);
  std::vector<std::string> known = nearest_first(keyword.name, all);
  constexpr std::size_t most = 5;
  known.resize(std::min(known.size(), most));
  scanner.fail_at(keyword.line, "*" + keyword.name,
                  "this keyword is not known here. The nearest ones are *" + join(known, ", *") + ". Delete it if it does not matter.");
}

void require_options(const Scanner &scanner, const Keyword &keyword, const std::set<std::string> &known)
{
  for (const auto &option : keyword.options)
    if (std::none_of(known.begin(), known.end(), [&](const std::string &name) { return compact(name) == compact(option.first); }))
      scanner.fail_at(keyword.line, "*" + keyword.name + ", " + option.first,
                      "this option is not known here; there " +
                          (known.empty() ? std::string("are none") : "are: " + join({known.begin(), known.end()})) + ".");
}

ElementType element_type(const Scanner &scanner, const Keyword &keyword, const std::string &type_in_file)
{
  const std::string type = upper(type_in_file);
  const std::string base = type.substr(0, type.find_last_of("0123456789") + 1), rest = type.substr(base.size());
  static const ElementType point{Shape::point}, line{Shape::line}, triangle{Shape::triangle}, quadrilateral{Shape::quadrilateral},
      tetrahedron{Shape::tetrahedron}, hexahedron{Shape::hexahedron}, wedge{Shape::wedge};
  static const std::map<std::string, ElementType> types = {{"C3D8", hexahedron},    {"C3D6", wedge},         {"C3D4", tetrahedron},
                                                           {"CPS4", quadrilateral}, {"CPE4", quadrilateral}, {"CPS3", triangle},
                                                           {"CPE3", triangle},      {"T3D2", line},          {"T2D2", line}};
  static const std::map<std::string, ElementType> discrete = {{"MASS", point},    {"SPRINGA", line},  {"SPRING1", point},
                                                              {"SPRING2", line},  {"DASHPOTA", line}, {"DASHPOT1", point},
                                                              {"DASHPOT2", line}, {"GAPUNI", line}};
  static const std::map<std::string, ElementType> thin = {{"B31", line},
                                                          {"B32", {Shape::line, {{0, 1}}}},
                                                          {"S3", triangle},
                                                          {"S4", quadrilateral},
                                                          {"S6", {Shape::triangle, {{0, 1}, {1, 2}, {2, 0}}}},
                                                          {"S8", {Shape::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}}}};
  static const std::set<std::string> variants = {"", "R", "I", "H", "RH", "IH"}, thin_variants = {"", "R", "S", "RS"};
  if (const auto found = thin.find(base); found != thin.end() && thin_variants.count(rest))
    return found->second;
  if (base == "S9")
    scanner.fail_at(keyword.line, "TYPE=" + type, "shells have 3, 4, 6 or 8 nodes here. Save the mesh with S8R elements.");
  if (const auto found = discrete.find(type); found != discrete.end())
    return found->second;
  if (const SecondOrder *second = abaqus_second_order(base); second && variants.count(rest))
    return {second->shape, second->between};
  const auto found = types.find(base);
  if (found == types.end() || variants.count(rest) == 0)
    scanner.fail_at(
        keyword.line, "TYPE=" + type,
        "C3D4, C3D6, C3D8, C3D10, C3D15, C3D20, CPS3, CPE3, CPS4, CPE4, CPS6, CPE6, CPS8 and CPE8 with the endings R, I and H can be read, as cells of first or second "
        "order, and B31, B32, S3, S4, S6, S8R, T3D2, T2D2, MASS, SPRINGA, SPRING1, SPRING2, DASHPOTA, DASHPOT1, DASHPOT2 and GAPUNI. Save the mesh with such elements.");
  return found->second;
}
}  // namespace symdyn::abaqus
