#include "meshes/abaqus_keywords.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "solver/names.h"

namespace symdyn::abaqus
{
namespace
{
/// Keywords that say nothing of the mesh. Constraints between nodes are not among them: to skip one would change the
/// model.
const std::set<std::string> not_of_the_mesh = {"HEADING",
                                               "PREPRINT",
                                               "RESTART",
                                               "END PART",
                                               "ASSEMBLY",
                                               "END ASSEMBLY",
                                               "END INSTANCE",
                                               "MATERIAL",
                                               "DENSITY",
                                               "ELASTIC",
                                               "HYPERELASTIC",
                                               "DAMPING",
                                               "PLASTIC",
                                               "EXPANSION",
                                               "CONDUCTIVITY",
                                               "SPECIFIC HEAT",
                                               "USER MATERIAL",
                                               "DEPVAR",
                                               "SECTION CONTROLS",
                                               "HOURGLASS STIFFNESS",
                                               "STEP",
                                               "END STEP",
                                               "STATIC",
                                               "DYNAMIC",
                                               "FREQUENCY",
                                               "MODAL DYNAMIC",
                                               "BOUNDARY",
                                               "CLOAD",
                                               "DLOAD",
                                               "DSLOAD",
                                               "INITIAL CONDITIONS",
                                               "AMPLITUDE",
                                               "TIME POINTS",
                                               "CONTROLS",
                                               "OUTPUT",
                                               "NODE OUTPUT",
                                               "ELEMENT OUTPUT",
                                               "ENERGY OUTPUT",
                                               "NODE PRINT",
                                               "EL PRINT",
                                               "ENERGY PRINT",
                                               "NODE FILE",
                                               "EL FILE",
                                               "ENERGY FILE",
                                               "MONITOR"};

/// They are read.
const std::set<std::string> of_the_mesh = {"NODE",    "ELEMENT",       "NSET", "ELSET",
                                           "SURFACE", "SOLID SECTION", "PART", "INSTANCE"};
}  // namespace

std::string upper(std::string word)
{
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

std::vector<Keyword> keywords(Scanner &scanner)
{
  std::vector<Keyword> all;
  bool continues = false;
  while (scanner.next_line())
  {
    const std::string text(scanner.rest());
    if (text.substr(0, 2) == "**") continue;
    std::vector<std::string> words = split(text);
    if (text[0] == '*')
    {
      all.push_back({scanner.line(), upper(words[0].substr(1)), {}, {}});
      words.erase(words.begin());
    }
    else if (all.empty())
      scanner.fail(text, "an Abaqus file starts with a keyword, such as *HEADING or *NODE.");
    else if (!continues)
    {
      all.back().data.push_back({scanner.line(), words});
      continue;
    }
    for (const auto &option : words)
      if (!option.empty())
      {
        const auto equals = option.find('=');
        all.back().options[upper(trim(option.substr(0, equals)))] =
            equals == std::string::npos ? "" : trim(option.substr(equals + 1));
      }
    continues = text.back() == ',';
  }
  return all;
}

const std::map<Shape, std::vector<std::vector<unsigned int>>> faces = {
    {Shape::triangle, {{0, 1}, {1, 2}, {2, 0}}},
    {Shape::quadrilateral, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    {Shape::tetrahedron, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}},
    {Shape::hexahedron, {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}}}};

void require_not_of_the_mesh(const Scanner &scanner, const Keyword &keyword)
{
  if (not_of_the_mesh.count(keyword.name)) return;
  std::vector<std::string> known(not_of_the_mesh.begin(), not_of_the_mesh.end());
  known.insert(known.end(), of_the_mesh.begin(), of_the_mesh.end());
  known = nearest_first(keyword.name, known);
  known.resize(5);
  scanner.fail_at(keyword.line, "*" + keyword.name,
                  "this keyword is not known here. The nearest ones are *" + join(known, ", *") +
                      ". Delete it if it does not matter.");
}

Shape shape(const Scanner &scanner, const Keyword &keyword, const std::string &type_in_file)
{
  const std::string type = upper(type_in_file);
  const std::string base = type.substr(0, type.find_last_of("0123456789") + 1), rest = type.substr(base.size());
  static const std::map<std::string, Shape> shapes = {{"C3D8", Shape::hexahedron},    {"C3D4", Shape::tetrahedron},
                                                      {"CPS4", Shape::quadrilateral}, {"CPE4", Shape::quadrilateral},
                                                      {"CPS3", Shape::triangle},      {"CPE3", Shape::triangle},
                                                      {"T3D2", Shape::line},          {"T2D2", Shape::line}};
  static const std::set<std::string> variants = {"", "R", "I", "H", "RH", "IH"};
  static const std::set<std::string> second_order = {"C3D10", "C3D20", "C3D15", "C3D27", "CPS6",
                                                     "CPE6",  "CPS8",  "CPE8",  "T3D3",  "T2D3"};
  if (second_order.count(base))
    scanner.fail_at(keyword.line, "TYPE=" + type,
                    "cells of second order cannot be read; the mesh needs straight edges (the degree is the deck's "
                    "choice). Save it with linear elements.");
  const auto found = shapes.find(base);
  if (found == shapes.end() || variants.count(rest) == 0)
    scanner.fail_at(keyword.line, "TYPE=" + type,
                    "only C3D8 and C3D4, CPS4, CPE4, CPS3 and CPE3 with the endings R, I and H can be read, with T3D2 "
                    "and T2D2 as edges.");
  return found->second;
}

}  // namespace symdyn::abaqus
