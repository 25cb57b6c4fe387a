#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/registry.h"

// *NODAL THICKNESS, which *SHELL SECTION, NODAL THICKNESS takes.
namespace symdyn::abaqus
{
namespace
{
class NodalThickness : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"NODAL THICKNESS", Where::model, Options{}}}; }
  Turn turn() const override { return Turn::remarks; }
  void read_mesh(Model &model, const Keyword &card) override;
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, NodalThickness, "nodal thickness");

void NodalThickness::read_mesh(Model &model, const Keyword &card)
{
  for (const Line &line : card.data)
  {
    const double thickness = model.real(line, model.word(line, 1), "the thickness at a node");
    if (thickness <= 0.)
      model.scanner.fail_at(line.number, line.words[1], "the thickness must be > 0. Give it in the unit of length of the file.");
    for (std::size_t i = 2; i < line.words.size(); ++i)
      if (!line.words[i].empty())
        model.scanner.fail_at(line.number, line.words[i],
                              "a line has a node or a set, and the thickness of shells there. Beams have none here. Remove it.");
    for (const std::size_t node : model.nodes_of(line, model.word(line, 0)))
      model.mesh.thicknesses[node] = thickness;
  }
}

void NodalThickness::read(Job &job, const Keyword &card, Step *)
{
  if (std::none_of(job.before.begin(), job.before.end(), [](const Keyword &one) { return one.has("NODAL THICKNESS"); }))
    job.out.warn(card.line, "*NODAL THICKNESS", "has no effect, as in CalculiX: no *SHELL SECTION has the option NODAL THICKNESS");
}
}  // namespace
}  // namespace symdyn::abaqus
