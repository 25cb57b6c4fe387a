#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DSLOAD: pressures on surfaces.
namespace symdyn::abaqus
{
namespace
{
/// Of faces, by name.
Sets surfaces(const Job &job)
{
  Sets named;
  for (const Keyword &card : job.model.all)
    if (card.name == "SURFACE" && job.model.mesh.faces.count(card.option("NAME")))
      named.emplace(card.option("NAME"), Set{card.option("NAME"), {}, card.line});
  return named;
}

class Dsload : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DSLOAD", Where::step, options_of_loads}}; }
  Turn turn() const override { return Turn::loads; }
  void read(Job &job, const Keyword &card, Step *of) override;
};
SYMDYN_REGISTER(Translator, Dsload, "dsload");

void Dsload::read(Job &job, const Keyword &card, Step *of)
{
  Step &step = *of;
  begin_card(job, card, step, "DLOAD");
  for (const Line &line : card.data)
  {
    if (upper(job.word(line, 1)) != "P")
      job.fail(line.number, join(line.words), "only pressures can be computed: a line is surface, P, value.");
    const double p = static_factor(job, card, step) * job.real(line, 2, "the pressure");
    const auto surface = std::find_if(job.model.mesh.faces.begin(), job.model.mesh.faces.end(),
                                      [&](const auto &faces) { return upper(faces.first) == upper(job.word(line, 0)); });
    if (surface == job.model.mesh.faces.end())
      job.fail(line.number, job.word(line, 0),
               "there is no *SURFACE of element faces with this name" + known(surfaces(job), job.word(line, 0)) + ".");
    pressure(job, card, line, {surface->first}, p, step);
  }
}
}  // namespace
}  // namespace symdyn::abaqus
