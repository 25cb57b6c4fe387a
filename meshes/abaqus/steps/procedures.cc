#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Steps become stages, by the translators of their procedures.
namespace symdyn::abaqus
{
namespace
{
/// A material is either of small displacements or of large ones, in all steps.
void check_geometry(Job &job, const Step &step)
{
  const bool after_nonlinear =
      std::any_of(job.steps.begin(), job.steps.end(), [&](const Step &other) { return other.line < step.line && other.nonlinear; });
  const bool after_static =
      std::any_of(job.steps.begin(), job.steps.end(), [&](const Step &other) { return other.line < step.line && !other.traits.moves; });
  if (job.nonlinear && !step.nonlinear && !step.traits.perturbation)
    job.out.warn(step.line, "*STEP", "computed with large displacements, as another step has NLGEOM");
  if (step.procedure != "FREQUENCY" && step.procedure != "BUCKLE")
    return;
  if (!step.perturbation && after_nonlinear)
    job.out.warn(step.line, "*" + step.procedure, "computed about the loaded state of the step before, as with PERTURBATION");
  if (step.perturbation && after_static && !job.nonlinear)
    job.fail(
        step.line, "*STEP, PERTURBATION",
        "the stress of the step before stiffens the body, which a material of small displacements does not know. Write NLGEOM at the *STEP of *STATIC.");
}

/// Solvers of CalculiX, of eigenvalues ARPACK, too. symdyn takes its own.
void check_solver(const Job &job, const Keyword &card)
{
  std::vector<std::string> known{"SPOOLES", "PARDISO", "PASTIX", "ITERATIVESCALING", "ITERATIVECHOLESKY", "TAUCS", "SGI", "MATRIXSTORAGE"};
  if (card.name == "FREQUENCY" || card.name == "BUCKLE")
    known.push_back("ARPACK");
  if (card.has("SOLVER") && std::count(known.begin(), known.end(), compact(card.option("SOLVER"))) == 0)
    job.fail(
        card.line, "SOLVER=" + card.option("SOLVER"),
        "is SPOOLES, PARDISO, PASTIX, ITERATIVE SCALING, ITERATIVE CHOLESKY, TAUCS or SGI. Leave it out: symdyn takes its own solver.");
}

class Procedures : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::procedures; }
  void begin_step(Job &job, Step &step) override;

private:
  double time = 0, total = 0;  ///< where the next step begins [s]
};
SYMDYN_REGISTER(Translator, Procedures, "procedures");

void Procedures::begin_step(Job &job, Step &step)
{
  if (step.perturbation && !step.traits.perturbation)
    job.fail(
        step.line, "*STEP, PERTURBATION",
        "a linear step about a loaded state can be computed for *FREQUENCY, *BUCKLE, *MODAL DYNAMIC and *STEADY STATE DYNAMICS only. Leave PERTURBATION out.");
  check_geometry(job, step);
  step.start = time;
  step.total_start = total;
  const Translators::Reader &reader = *job.translators.readers(step.procedure, Where::procedure).front();
  if (reader.rule.options)
    require_options(job.model.scanner, step.card, *reader.rule.options);
  check_solver(job, step.card);
  reader.translator->write_procedure(job, step, "Stages/" + step.name);
  total += step.period;
  time += step.traits.takes_time || step.takes_time ? step.period : 0.;
}
}  // namespace
}  // namespace symdyn::abaqus
