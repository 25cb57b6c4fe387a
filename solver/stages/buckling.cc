#include "solver/vibration/buckling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/constraints.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/growing_loads.h"
#include "solver/stages/nodal_diameters.h"
#include "solver/stages/state_at_rest.h"
#include "solver/unknowns.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/mode_tables.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
namespace
{
/// A system that may buckle: the structure, or patterns of it with nodal diameters.
struct Buckling
{
  const MechanicalSystem &system;
  const CyclicMotion *motion;  ///< the same, of a sector; else nullptr
};

/// Kσ of the growing loads, `scale` times as large, which give the displacement u from the state.
class AddedStiffness
{
public:
  AddedStiffness(Analysis &analysis, const Buckling &buckling, GrowingLoads &loads, const Vector &u, const double scale,
                 const bool by_stress)
      : structure(analysis.structure->system()),
        system(buckling.system),
        motion(buckling.motion),
        state(analysis.state),
        loads(loads),
        u(u),
        scale(scale),
        follow(system.has(Feature::follower_loads)),
        other(system.new_vector()),
        sum(other)
  {
    if (!by_stress)
      return;
    under = std::make_unique<LoadedState>(structure, state, loads, u, 1., scale);
    if (motion)
      motion_under = under->motion(motion->diameters());
    loads.set(0.);
  }
  void multiply(const Vector &w, Vector &r)
  {
    under ? multiply_stress(w, r) : multiply_derivative(w, r);
    if (follow)
      add_load_part(w, r);
    system.project(r);
  }
  /// Eigenvalues of K + factor Kσ below 0.
  long negative(const double factor)
  {
    if (!under)
      return -1;
    const LoadedState there(structure, state, loads, u, factor, factor * scale);
    const std::unique_ptr<CyclicMotion> moving = motion ? there.motion(motion->diameters()) : nullptr;
    const MechanicalSystem &loaded = moving ? *moving : *there;
    return loaded.factor(K, state.t, state.q, system.new_vector())->negative_eigenvalues();
  }

private:
  void multiply_stress(const Vector &w, Vector &r)
  {
    (motion_under ? *motion_under : **under).stiffness(state.q, w, r);
    system.stiffness(state.q, w, other);
    r -= other;
  }
  /// V'''[u, w] = ¼ (V'''[u + w, u + w] - V'''[u - w, u - w]), with w as long as u.
  void multiply_derivative(const Vector &w, Vector &r)
  {
    const double length = w.l2_norm() > 0. ? u.l2_norm() / w.l2_norm() : 1.;
    for (const double sign : {1., -1.})
    {
      sum = u;
      sum.add(sign * length, w);
      sum.update_ghost_values();
      system.third_derivative(state.q, sum, sign > 0. ? r : other);
    }
    r -= other;
    r *= 0.25 / length;
  }
  void add_load_part(const Vector &w, Vector &r)
  {
    for (const double sign : {1., -1.})
    {
      other = 0.;
      loads.set(sign > 0. ? scale : 0.);
      system.add_load_stiffness(state.t, state.q, w, other);
      r.add(sign, other);
    }
    loads.set(0.);
  }

  const MechanicalSystem &structure, &system;
  const CyclicMotion *motion;
  const State &state;
  GrowingLoads &loads;
  const Vector &u;
  double scale;
  bool follow;
  Vector other, sum;
  std::unique_ptr<LoadedState> under;
  std::unique_ptr<CyclicMotion> motion_under;
};

/// As CalculiX prints factors.
std::string calculix_factors(const std::vector<double> &factors)
{
  std::string text = "\n     B U C K L I N G   F A C T O R   O U T P U T\n\n MODE NO       BUCKLING\n                FACTOR\n\n";
  for (std::size_t i = 0; i < factors.size(); ++i)
    text += fmt::format("{:7d}  {}\n", i + 1, fortran(factors[i]));
  return text + "\n";
}
}  // namespace

/// The factors by which loads buckle the body about the state.
class BucklingStage : public Stage
{
public:
  std::string meaning() const override { return "factors by which loads buckle the body about the state"; }
  void declare(Parameters &p) override
  {
    request.declare(p);
    diameters.declare(p);
  }
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = traits.linear = traits.of_sectors = true;
    traits.modes = request.number;
    return traits;
  }
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  /// Errors: InputError where the state does not stand by itself, or a load has no symmetric tangent.
  void check_state(Analysis &analysis, const MechanicalSystem &system, GrowingLoads &loads) const;
  /// Errors: InputError where supports leave a rigid motion of the whole.
  void check_held(const CyclicMotion &motion, const Vector &q) const;
  /// Of loads that are `scale` times as large, with the displacement u: factors of those.
  BucklingFactors find(Analysis &analysis, const Buckling &buckling, GrowingLoads &loads, const Vector &u, double scale) const;
  BucklingFactors find_scaled(Analysis &analysis, const Buckling &buckling, GrowingLoads &loads, const Vector &u) const;
  BucklingFactors find_of_sectors(Analysis &analysis, const CyclicSector &sector, GrowingLoads &loads, const Vector &u) const;
  void report(Analysis &analysis, const BucklingFactors &found, const std::vector<double> &load) const;
  void write(Analysis &analysis, const BucklingFactors &found, const std::vector<double> &load) const;

  BucklingRequest request;
  NodalDiameters diameters;
  std::vector<int> numbers;  ///< of nodal diameters
};

void BucklingStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  const MechanicalSystem &system = analysis.system();
  if (const HolonomicConstraints *exact = system.constraints())
    throw InputError(fmt::format("{}: buckling has no exact constraints ('{}'). Set Constraints/Treatment = penalty with an omega", where,
                                 exact->name(0)));
  const CyclicSector *sector = cyclic_sector(analysis.structure->system());
  numbers = diameters.of(sector);
  if (request.stiffness == "consistent" && sector)
    throw InputError(at("Geometric stiffness") + ": it is not available with Cyclic symmetry. Set Geometric stiffness = stress");
  if (request.stiffness == "consistent" && (system.nodal_constraints() || remembering(system)))
    throw InputError(at("Geometric stiffness") + ": it needs a third derivative of V, which " +
                     (remembering(system) ? "a law with a memory" : "a system with Elements/Directors = exact") +
                     " has not. Set Geometric stiffness = stress");
  if (system.diagnosis().load_names().empty())
    throw InputError(where + ": no loads grow: the deck has none. Add a section to Loads");
}

void BucklingStage::check_state(Analysis &analysis, const MechanicalSystem &system, GrowingLoads &loads) const
{
  const State &state = analysis.state;
  if (const std::string free = analysis.structure->free_motions(state.q, analysis.units); !free.empty())
    throw InputError(fmt::format("{}: nothing holds the body: {}. Loads buckle a body that stands: add Supports", where, free));
  check_linear_motion(system, state.t, state.q);
  const long unstable = unstable_motions(system, state.t, state.q);
  if (unstable < 0)
    log_warning(fmt::format(
        "stage {}: nothing has counted whether the state before has buckled already. \"Linear solver/Type\" = mumps counts", name));
  if (unstable > 0)
    throw InputError(fmt::format("{}: the state before has {} unstable mode{}: it has buckled. Lower the loads of the stages before", where,
                                 unstable, unstable == 1 ? "" : "s"));
  if (!system.has(Feature::follower_loads))
    return;
  loads.set(1.);
  constexpr double rounding = 1e-9;
  if (const double measured = asymmetry_of_tangent(system, state.t, state.q).of_loads; measured > rounding)
    throw InputError(fmt::format(
        "{}: a load that follows the body (a pressure, a moment) has no symmetric tangent (|u·Kw - w·Ku| is {:.2g} of |u·Kw|): the body may "
        "flutter before it buckles, which a dynamic stage shows. Take Type = dead-pressure, of moments Geometry = linear",
        where, measured));
  loads.set(0.);
}

BucklingFactors BucklingStage::find(Analysis &analysis, const Buckling &buckling, GrowingLoads &loads, const Vector &u,
                                    const double scale) const
{
  AddedStiffness added(analysis, buckling, loads, u, scale, request.stiffness == "stress");
  BucklingRequest one = request;
  one.number += buckling.motion && buckling.motion->copies() == 2 ? request.number % 2 : 0;
  return find_factors({buckling.system, analysis.state.t, analysis.state.q, [&](const Vector &w, Vector &r) { added.multiply(w, r); },
                       [&](const double factor) { return added.negative(factor); }},
                      one);
}

/// Loads are scaled so that the first factor is about 1: the answer does not depend on their size.
BucklingFactors BucklingStage::find_scaled(Analysis &analysis, const Buckling &buckling, GrowingLoads &loads, const Vector &u) const
{
  constexpr double small = 1e-3, far = 100.;
  constexpr int most = 3;
  const ModelFacts facts = analysis.structure->facts();
  double size = 0;
  for (int d = 0; d < 3; ++d)
    size = std::max(size, facts.upper[d] - facts.lower[d]);
  double scale = small * size / u.linfty_norm();
  for (int k = 0;; ++k)
  {
    Vector scaled = u;
    scaled *= scale;
    scaled.update_ghost_values();
    BucklingFactors found = find(analysis, buckling, loads, scaled, scale);
    const double first = found.factors.empty() ? std::abs(found.other) : std::abs(found.factors.front());
    if (k + 1 == most || first == 0. || (first < far && first > 1. / far))
    {
      for (double &factor : found.factors)
        factor *= scale;
      found.other *= scale;
      return found;
    }
    scale *= first;
  }
}

void BucklingStage::check_held(const CyclicMotion &motion, const Vector &q) const
{
  constexpr double nothing = 1e-9;
  Vector xi = motion.new_vector();
  const std::vector<std::string> motions = motion.unknowns().momenta();
  for (std::size_t i = 0; i < motions.size(); ++i)
  {
    motion.unknowns().generator(i, q, xi);
    const double size = xi.l2_norm();
    motion.project_prescribed(xi);
    if (size > 0. && xi.l2_norm() <= nothing * size)
      throw InputError(fmt::format("{}: nothing holds the whole body against {} {}. Loads buckle a body that stands: add Supports", where,
                                   motions[i][0] == 'P' ? "motion along" : "turning about", motions[i].back()));
  }
}

/// Of all numbers of nodal diameters, those nearest to zero first.
BucklingFactors BucklingStage::find_of_sectors(Analysis &analysis, const CyclicSector &sector, GrowingLoads &loads, const Vector &u) const
{
  BucklingFactors all;
  all.counted = 0;
  std::vector<std::pair<double, std::size_t>> order;
  for (const int n : numbers)
  {
    const std::unique_ptr<CyclicMotion> motion = sector.motion(analysis.system(), n);
    check_held(*motion, analysis.state.q);
    check_state(analysis, *motion, loads);
    BucklingFactors found = find_scaled(analysis, {*motion, motion.get()}, loads, u);
    all.counted = found.counted < 0 || all.counted < 0 ? -1 : all.counted + found.counted;
    if (all.other == 0. || (found.other != 0. && std::abs(found.other) < std::abs(all.other)))
      all.other = found.other;
    for (std::size_t i = 0; i < found.factors.size(); ++i)
    {
      order.emplace_back(std::abs(found.factors[i]), all.factors.size());
      all.factors.push_back(found.factors[i]);
      all.diameters.push_back(n);
      all.sectors.emplace_back();
      for (int k = 0; k < sector.sectors_shown(); ++k)
        all.sectors.back().push_back(motion->sector(found.shapes[i], k));
    }
  }
  std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  BucklingFactors sorted = all;
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    sorted.factors[i] = all.factors[order[i].second];
    sorted.diameters[i] = all.diameters[order[i].second];
    sorted.sectors[i] = std::move(all.sectors[order[i].second]);
    sorted.shapes.push_back(sorted.sectors[i].front());
  }
  return sorted;
}

Progress BucklingStage::advance(Analysis &analysis)
{
  const ScopedTimer timer("buckling");
  const State &state = analysis.state;
  check_rest(analysis, *this);
  refuse_uneven_bearings(analysis, where);
  const AtRest about(analysis.system(), state.t, state.q);
  GrowingLoads loads(analysis, *this);
  check_state(analysis, *about, loads);
  const Vector f = loads.force(*about, state);
  request.stop = analysis.should_stop;
  request.progress = analysis.modes_progress(*this);
  const Vector u = loads.displacement(*about, state, f);
  const CyclicSector *sector = cyclic_sector(analysis.structure->system());
  const BucklingFactors found = sector ? find_of_sectors(analysis, *sector, loads, u) : find_scaled(analysis, {*about, nullptr}, loads, u);
  if (found.factors.empty())
    throw InputError(fmt::format("{}: no {} factor{}. {}", where, request.sign == "both" ? "" : request.sign,
                                 found.other != 0. ? fmt::format("; the nearest of the other sign is {:.6g}", found.other) : "",
                                 found.other == 0.
                                     ? "These loads change no stress that buckles the body; springs of small displacements, as bars "
                                       "of .inp files without NLGEOM are, bear none"
                                     : "Loads that pull buckle nothing: turn them, or set Sign = both"));
  const std::vector<double> load = loads.resultant(*about, state.q, f);
  report(analysis, found, load);
  write(analysis, found, load);
  return Progress::ended;
}

void BucklingStage::report(Analysis &analysis, const BucklingFactors &found, const std::vector<double> &load) const
{
  std::string text = fmt::format("stage {}: {} buckling factors\n  mode  {:>16}  resultant of the loads [{}]", name, found.factors.size(),
                                 "factor [-]", analysis.units.force);
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < found.factors.size(); ++i)
  {
    text += fmt::format("\n  {:>4}  {:>16.8g} ", i + 1, found.factors[i]);
    if (!found.diameters.empty())
      text += fmt::format(" ({} nodal diameters) ", found.diameters[i]);
    std::vector<double> critical;
    for (const double one : load)
    {
      critical.push_back(found.factors[i] * one);
      text += fmt::format(" {:>13.6g}", critical.back());
    }
    all.push_back({{"factor", found.factors[i]}, {"resultant", critical}});
    if (!found.diameters.empty())
      all.back()["nodal diameters"] = found.diameters[i];
  }
  if (found.counted >= 0)
    text += fmt::format("\n  {} factors; Sturm count {}", found.factors.size(), found.counted);
  if (found.factors.size() < std::size_t(request.number))
    text += fmt::format("\n  Modes = {}: there are no more of this sign", request.number);
  log_line(text);
  (*analysis.found)[name] = {{"none is missing", found.counted >= 0}, {"factors", all}};
  if (found.counted < 0)
    log_warning(
        fmt::format("stage {}: nothing has counted the factors: of several that are equal some may be missing. \"Linear "
                    "solver/Type\" = mumps counts them with Geometric stiffness = stress",
                    name));
}

void BucklingStage::write(Analysis &analysis, const BucklingFactors &found, const std::vector<double> &load) const
{
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("buckling", name);
  std::string text = found.diameters.empty() ? "mode,factor [-]" : "mode,nodal diameters [-],factor [-]";
  for (std::size_t d = 0; d < load.size(); ++d)
    text += fmt::format(",resultant {} [{}]", "xyz"[d], analysis.units.force);
  for (std::size_t i = 0; i < found.factors.size(); ++i)
  {
    text += fmt::format("\n{},{}{}", i + 1, found.diameters.empty() ? "" : fmt::format("{},", found.diameters[i]), found.factors[i]);
    for (const double one : load)
      text += fmt::format(",{}", found.factors[i] * one);
  }
  recorder.file(stem + ".csv", text + "\n");
  const OutputTime moment{name, 1., true, 0.};
  if (analysis.structure->print_plan().modes)
    recorder.print(calculix_factors(found.factors));
  Results::Collection frames;
  for (std::size_t i = 0; i < found.factors.size(); ++i)
  {
    recorder.print(analysis.structure->print(
        analysis.state, {found.shapes[i], std::numeric_limits<double>::quiet_NaN(), calculix_mode_title(i + 1)}, moment));
    if (recorder.writes_fields())
    {
      const std::string file = fmt::format("{}-{:05d}", stem, i + 1);
      frames.emplace_back(i + 1, found.sectors.empty() ? recorder.shape(found.shapes[i], file) : recorder.sectors(found.sectors[i], file));
    }
  }
  recorder.collection(stem + ".pvd", frames);
}
SYMDYN_REGISTER(Stage, BucklingStage, "buckling");
}  // namespace symdyn
