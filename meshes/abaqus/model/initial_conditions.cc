#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *INITIAL CONDITIONS.
namespace symdyn::abaqus
{
namespace
{
class InitialConditions : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"INITIAL CONDITIONS"}}; }
  Turn turn() const override { return Turn::start; }
  void begin(Job &job) override
  {
    for (const FileElement &element : job.model.mesh.elements)
    {
      of_cells.insert(element.nodes.begin(), element.nodes.begin() + node_count(element.shape));
      of_cells.insert(element.middles.begin(), element.middles.end());
    }
  }
  void read(Job &job, const Keyword &card, Step *) override;
  void write(Job &job) override
  {
    for (const auto &[name, value] : fields)
      job.out.add(lines[name], "Initial conditions", name, written(std::vector<double>(value.begin(), value.begin() + job.dim)));
  }

private:
  std::map<std::string, std::array<double, 3>> fields;
  std::map<std::string, std::size_t> lines;
  std::set<std::size_t> of_cells;  ///< nodes
};
SYMDYN_REGISTER(Translator, InitialConditions, "initial conditions");

void InitialConditions::read(Job &job, const Keyword &card, Step *)
{
  const std::string type = upper(job.model.required(card, "TYPE"));
  if (type == "TEMPERATURE")
    return;  // temperature.cc
  if (type == "STRESS" || type == "PLASTIC STRAIN")
    return;  // initial_state.cc
  if (type != "VELOCITY" && type != "DISPLACEMENT")
    job.fail(card.line, "*INITIAL CONDITIONS, TYPE=" + type,
             "cannot be computed; the types are DISPLACEMENT, VELOCITY, TEMPERATURE, STRESS and PLASTIC STRAIN.");
  if (type == "DISPLACEMENT" && job.thin)
    job.fail(card.line, "*INITIAL CONDITIONS, TYPE=DISPLACEMENT",
             "beams and shells start at rest positions. Move their nodes by *BOUNDARY in a first static step.");
  require_options(job.model.scanner, card, {"TYPE"});
  const std::string name = type == "VELOCITY" ? "Velocity" : "Displacement";
  for (const Line &line : card.data)
  {
    std::set<std::size_t> nodes;
    for (const std::size_t node : job.model.nodes_of(line, job.word(line, 0)))
      nodes.insert(node);
    if (!job.bodiless && !std::includes(nodes.begin(), nodes.end(), of_cells.begin(), of_cells.end()))
      job.fail(line.number, job.word(line, 0),
               "an initial field is given for all nodes of the body, or in a .prm deck as an expression of x, y, z.");
    const long component = job.model.number(line, job.word(line, 1), "the component, 1 to 3,");
    if (component < 1 || component > job.dim)
      job.fail(line.number, job.word(line, 1), fmt::format("the component is 1 to {}.", job.dim));
    if (job.bodiless)
    {
      start_alone(job, line, name, nodes, component - 1);
      continue;
    }
    fields[name][component - 1] = job.real(line, 2, "the value");
    lines[name] = line.number;
  }
}
}  // namespace
}  // namespace symdyn::abaqus
