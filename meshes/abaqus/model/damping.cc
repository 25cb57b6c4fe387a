#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DAMPING: one for all materials.
namespace symdyn::abaqus
{
namespace
{
class MaterialDamping : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DAMPING", Where::material, Options{"ALPHA", "BETA", "STRUCTURAL"}, 0}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, MaterialDamping, "damping");

void MaterialDamping::read_material(Job &job, const Keyword &card, Material &)
{
  const auto value = [&](const char *option) {
    return card.has(option) ? job.model.real({card.line, {}}, card.option(option), option) : 0.;
  };
  const double alpha = value("ALPHA"), beta = value("BETA"), eta = value("STRUCTURAL");
  if (eta < 0.)
    job.fail(card.line, "STRUCTURAL=" + card.option("STRUCTURAL"), "a loss factor is >= 0.");
  if (job.damping.line > 0 && (alpha != job.damping.mass || beta != job.damping.stiffness || eta != job.damping.structural))
    job.fail(card.line, "*DAMPING",
             fmt::format("differs from that of {}: all materials have one damping here.", job.model.scanner.place(job.damping.line)));
  const auto has = [&](const std::set<std::string> &procedures) {
    return std::any_of(job.steps.begin(), job.steps.end(), [&](const Step &step) { return procedures.count(step.procedure) > 0; });
  };
  if (job.damping.line == 0 && has({"DYNAMIC"}))  // modal steps have their own, *MODAL DAMPING
  {
    if (has({"MODAL DYNAMIC", "STEADY STATE DYNAMICS"}) && (alpha != 0. || beta != 0.))
      job.fail(card.line, "*DAMPING", "damps *DYNAMIC steps, and not those of modes, of which this file has both. Make two files of them.");
    if (alpha != 0. && job.thin)
      job.fail(card.line, "*DAMPING, ALPHA", "is not computed of beams and shells. Give BETA, which damps by their stiffness at rest.");
    if (alpha != 0.)
      job.out.add(card.line, "Damping", "Mass proportional", written(alpha));
    if (beta != 0. && !job.thin)  // sections of beams and shells have theirs
      job.out.add(card.line, "Damping", "Stiffness proportional", written(beta));
    if (beta != 0. && job.nonlinear && !job.thin)
      job.out.add(card.line, "Damping", "Stiffness", "current");
  }
  else if (job.damping.line == 0 && (alpha != 0. || beta != 0.) && has({"MODAL DYNAMIC", "STEADY STATE DYNAMICS"}))
    job.out.warn(card.line, "*DAMPING",
                 "ALPHA and BETA damp *DYNAMIC steps only, as in CalculiX, and the file has none: give *MODAL DAMPING, RAYLEIGH");
  if (job.damping.line == 0 && eta != 0. && has({"DYNAMIC", "MODAL DYNAMIC"}))
    job.out.warn(card.line, "*DAMPING", "STRUCTURAL damps *STEADY STATE DYNAMICS only, as in CalculiX");
  job.damping.line = card.line;
  job.damping.mass = alpha;
  job.damping.stiffness = beta;
  job.damping.structural = eta;
}
}  // namespace
}  // namespace symdyn::abaqus
