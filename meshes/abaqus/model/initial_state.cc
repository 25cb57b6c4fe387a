#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *INITIAL CONDITIONS, TYPE=STRESS and TYPE=PLASTIC STRAIN.
namespace symdyn::abaqus
{
namespace
{
constexpr std::size_t components_of_state = 6;

bool is_state(const Keyword &card)
{
  const std::string type = upper(card.option("TYPE"));
  return card.name == "INITIAL CONDITIONS" && (type == "STRESS" || type == "PLASTIC STRAIN");
}

/// Elements with one value, which becomes a section of the deck.
struct InitialPart
{
  std::string name;
  std::size_t line;  ///< the first
  std::set<std::size_t> elements = {};
  std::map<std::size_t, std::set<long>> points = {};  ///< of elements, where lines name points of integration
};

/// Lines "element, point of integration, six components" (CalculiX) or "element or set, six components" (Abaqus), those of one value
/// together.
std::map<std::vector<double>, InitialPart> parts_of(const Model &model, const Keyword &card)
{
  std::map<std::vector<double>, InitialPart> parts;
  std::map<std::size_t, const InitialPart *> owner;
  for (const Line &line : card.data)
  {
    for (std::size_t i = 0; i < components_of_state + 2; ++i)
      model.word(line, i);
    std::size_t words = line.words.size();
    while (words > 0 && line.words[words - 1].empty())
      --words;
    if (words != components_of_state + 1 && words != components_of_state + 2)
      model.scanner.fail_at(line.number, line.words[0],
                            fmt::format("the line has {} values. It needs an element, a point and six components, or an element or set and "
                                        "six components.",
                                        words));
    const std::size_t first = words - components_of_state;
    std::vector<double> value;
    for (std::size_t i = first; i < first + components_of_state; ++i)
      value.push_back(!line.words[i].empty() ? model.real(line, line.words[i], "a component") : 0.);
    InitialPart &part =
        parts.try_emplace(value, InitialPart{fmt::format("initial state of line {}", line.number), line.number}).first->second;
    for (const std::size_t e : model.elements_of(line, line.words[0]))
    {
      if (const InitialPart *other = owner.try_emplace(e, &part).first->second; other != &part)
        model.scanner.fail_at(line.number, line.words[0],
                              fmt::format("element {} has another value in {}: one that differs between points of an element cannot be "
                                          "computed yet. Give the mean, or in a .prm deck an expression of x, y, z.",
                                          model.mesh.elements[e].number, model.scanner.place(other->line)));
      part.elements.insert(e);
      if (first == 2)
        part.points[e].insert(model.number(line, line.words[1], "the point of integration"));
    }
  }
  return parts;
}

class InitialStates : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"INITIAL CONDITIONS"}}; }
  Turn turn() const override { return Turn::start; }
  void name_cells(Model &model, const Keyword &card) override
  {
    if (!is_state(card) || card.has("USER"))
      return;
    for (const auto &[value, part] : parts_of(model, card))
      model.mesh.named_cells[part.name] = {part.elements.begin(), part.elements.end()};
  }
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, InitialStates, "initial states");

void InitialStates::read(Job &job, const Keyword &card, Step *)
{
  if (!is_state(card))
    return;
  const std::string what = "*INITIAL CONDITIONS, TYPE=" + upper(card.option("TYPE"));
  if (card.has("USER"))
    job.fail(card.line, what + ", USER", "a subroutine cannot be read. In a .prm deck Initial state takes expressions of x, y, z.");
  require_options(job.model.scanner, card, {"TYPE"});
  if (card.data.empty())
    job.fail(card.line, what, "needs lines of an element, a point of integration and six components.");
  for (const auto &[value, part] : parts_of(job.model, card))
  {
    for (const std::size_t e : part.elements)
    {
      const FileElement &element = job.model.mesh.elements[e];
      if (!job.is_solid(e))
        job.fail(part.line, what, fmt::format("element {} is no solid: beams, shells and bars start without it.", element.number));
      if (const auto points = part.points.find(e);
          points != part.points.end() && points->second.size() < integration_points_of(job.model.types[e]))
        job.fail(part.line, what,
                 fmt::format("element {} has it at {} of {} points of integration. Give all of them.", element.number,
                             points->second.size(), integration_points_of(job.model.types[e])));
    }
    const std::string path = "Initial state/" + part.name;
    job.out.add(part.line, path, "Elements", part.name);
    job.out.add(part.line, path, upper(card.option("TYPE")) == "STRESS" ? "Stress" : "Plastic strain", written(value));
  }
}
}  // namespace
}  // namespace symdyn::abaqus
