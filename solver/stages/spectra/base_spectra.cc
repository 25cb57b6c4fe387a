#include "solver/stages/spectra/base_spectra.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/spectra/load_spectra.h"
#include "solver/stages/state_at_rest.h"
#include "solver/unknowns.h"

namespace symdyn
{
void BaseSpectra::read(const Parameters &p, const std::string &entry, const bool densities)
{
  if (named.empty())
    p.fail(entry, densities ? "the stage needs the densities along x, y, z, e.g. none, none, road; or Load spectra"
                            : "the stage needs the spectra along x, y, z, e.g. design, design, 0.67 design; none: no motion");
  where = p.where(entry);
  for (std::size_t d = 0; d < named.size(); ++d)
  {
    if (named[d] == "none")
      continue;
    const auto [factor, spectrum] = spectrum_with_factor(p, entry, named[d]);
    used.push_back(spectrum);
    all.push_back(
        {d, factor,
         DesignSpectrum::read(p.root(), spectrum, densities ? DesignSpectrum::Wanted::density : DesignSpectrum::Wanted::answers)});
  }
  if (all.empty())
    p.fail(entry, "all directions are none: nothing moves the base. Name a spectrum");
}

void BaseSpectra::check(const MechanicalSystem &system) const
{
  const std::vector<std::string> momenta = system.unknowns().momenta();
  const std::size_t axes = std::count_if(momenta.begin(), momenta.end(), [](const std::string &one) { return one[0] == 'P'; });
  if (!named.empty() && named.size() != axes)
    throw InputError(fmt::format("{}: names {} directions; the model has {}. Write none where the base rests", where, named.size(), axes));
}

Vector BaseSpectra::rigid(const MechanicalSystem &system, const Vector &q, const Direction &direction) const
{
  Vector r = system.new_vector();
  system.unknowns().generator(direction.axis, q, r);
  Vector held = r;
  system.project_prescribed(held);
  if (held.l2_norm() == 0.)
    throw InputError(
        fmt::format("{}: no support holds the structure along {}, so that the base does not move it. Add a support, or write none there",
                    where, direction.name()));
  return r;
}

HeldModes find_held_modes(Analysis &analysis, const Stage &stage, const MechanicalSystem &system, ModesRequest request,
                          const ModalDamping &damping, std::vector<Vector> forces)
{
  const State &state = analysis.state;
  request.forces = std::move(forces);
  request.stop = analysis.should_stop;
  request.progress = analysis.modes_progress(stage);
  HeldModes found;
  found.modes = find_modes(system, state.t, state.q, request);
  const Modes &modes = found.modes;
  const std::vector<double> given = damping.of(modes);
  found.ratios = damping_ratios(modal_damping(system, state.q, modes, true), modes);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    if (modes.kinds[i] != Modes::vibration)
      throw InputError(fmt::format("{}: mode {} is no vibration ({}). A spectrum moves a base that holds the structure. Add supports",
                                   stage.where, i + 1, in_words(modes.kinds[i])));
    found.omega.push_back(modes.omega(i));
    found.ratios[i] += given[i] + 0.5 * damping.structural * modes.elastic[i] / modes.squares[i];
  }
  report_modes(analysis, stage, modes, found.ratios);
  return found;
}

StageTraits BaseSpectraStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = true;
  traits.modes = request.number;
  traits.spectra = spectra.sections();
  return traits;
}

void BaseSpectraStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  if (spinning(analysis.structure->system()))
    throw InputError(where + ": the frame turns, and Coriolis' forces couple the modes. Remove Rotation");
  spectra.check(analysis.structure->system());
}

void BaseSpectraStage::declare_modes(Parameters &p, const std::string &entry, const bool densities)
{
  request.declare(p);
  damping.declare(p);
  if (!loads.empty() && loads != std::vector<std::string>{"none"})
    p.fail("Loads",
           fmt::format("a {} stage applies no loads; those of the stages before it stay. Set Loads = none, or remove the entry", type));
  if (p.given(ModalDamping::motion_entry))
    p.fail(ModalDamping::motion_entry, "has no effect on spectra of the base motion. Remove the entry");
  if (!densities || spectra.given() || !may_rest())
    spectra.read(p, entry, densities);
}

std::string BaseSpectraStage::stem() const { return Results::stem(type, name); }
}  // namespace symdyn
