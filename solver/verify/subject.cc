#include "solver/verify/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/names.h"
#include "solver/diagnosis.h"
#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/symplectic.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/registry.h"
#include "solver/spinning.h"
#include "solver/verify/measures.h"
#include "solver/verify/verify.h"

namespace symdyn
{
namespace
{
constexpr double newton_tolerance = 1e-13;
constexpr double largest_h_frequency = 0.2;  ///< of the start's motion
constexpr double amplitude = 0.05;           ///< of a made-up motion, relative to the body
constexpr double part_of_critical = 0.5;     ///< for `auto` steps and explicit schemes

/// What the deck says about its mesh, read on a copy.
struct MeshEntries
{
  explicit MeshEntries(Deck deck)
  {
    Parameters mesh = deck.root().section("Mesh");
    given = mesh.given("Subdivisions");
    mesh.add("Subdivisions", cells, "", Range{});
    mesh.add("Refinements", refinements, "", Range{});
  }
  /// One notch coarser; false if there is none.
  bool coarsen(const double ratio)
  {
    if (refinements > 0)
    {
      --refinements;
      return true;
    }
    if (!given || cells.empty() || *std::max_element(cells.begin(), cells.end()) == 1)
      return false;
    const std::vector<int> before = cells;
    for (int &n : cells)
      n = std::max(1, int(std::lround(n * ratio)));
    if (cells == before)
      --*std::max_element(cells.begin(), cells.end());
    return true;
  }
  std::vector<std::string> settings() const
  {
    std::vector<std::string> words, result;
    for (const int n : cells)
      words.push_back(std::to_string(n));
    if (given)
      result.push_back("Mesh/Subdivisions=" + join(words));
    if (refined)
      result.push_back(fmt::format("Mesh/Refinements={}", refinements));
    return result;
  }
  std::vector<int> cells;
  int refinements = 0;
  bool given = false, refined = false;
};
/// How a stage steps whose scheme the deck chooses; null: no such stage.
const TimeStepping *chosen_stepping(const Stage &stage)
{
  const TimeStepping *stepping = stage.stepping();
  return stepping && stepping->chosen ? stepping : nullptr;
}

/// Along the axis on which it is largest; 1 for a single point [m].
double extent_of(const ModelFacts &facts)
{
  double extent = 0;
  for (int d = 0; d < 3; ++d)
    extent = std::max(extent, facts.upper[d] - facts.lower[d]);
  return extent > 0. ? extent : 1.;
}

/// What supports prescribe at t = 0, from the acceleration zero.
void impose_supports(const MechanicalSystem &system, State &start)
{
  start.a = system.new_vector();
  system.impose(0., start.q, start.v, start.a);
  for (Vector *x : {&start.q, &start.v, &start.a})
    x->update_ghost_values();
}
}  // namespace

VerifySubject::VerifySubject(const Deck &given, const std::size_t most_dofs, const bool lumped)
{
  Deck original = given;
  const Run whole(original);  // its errors point at the deck's own lines
  const Deck bare = original.without([](const std::string &path, const std::string &) { return path == "Loads"; });
  if (bare.as_prm() != original.as_prm())
    remarks.push_back("the loads are left out, gravity included");
  build(bare, most_dofs, lumped);
  leave_out_of_memory(bare, most_dofs, lumped);
  if (const Spinning *frame = spinning(run->structure().system()))
    throw InputError(
        fmt::format("{}: the frame turns ({}), and no dynamic stage moves in it. Remove the section, and turn the body by its "
                    "initial velocity",
                    given.name(), frame->where_turning()));
  bool others = false;
  for (const auto &stage : run->stages())
  {
    const TimeStepping *stepping = chosen_stepping(*stage);
    others = others || !stepping;
    if (!stepping || !own_scheme.empty())
      continue;
    own_scheme = stepping->scheme;
    h = stepping->step;
  }
  if (damped().has(Feature::damping))
    remarks.push_back("the damping is off, but in the rows `damping ...`: the other promises are of conservative systems");
  if (own_scheme.empty())
    throw InputError(
        given.name() +
        ": has no dynamic stage; `verify` needs one, whose scheme and time step it looks at. Add a section Time with Time step and End time, or a stage of Type = dynamic");
  if (others)
    remarks.push_back("stages that are not dynamic are left out");
  make_start();
}

/// What a run with memory would have to count beside the laws.
void VerifySubject::leave_out_of_memory(Deck deck, const std::size_t most_dofs, const bool lumped)
{
  const auto leave_out = [&](const std::vector<std::string> &sections, const std::string &remark) {
    remarks.push_back(remark);
    deck = deck.without([&](const std::string &path, const std::string &) {
      return std::any_of(sections.begin(), sections.end(),
                         [&](const std::string &section) { return path == section || path.rfind(section + "/", 0) == 0; });
    });
    build(deck, most_dofs, lumped);
  };
  if (frozen && damped().has(Feature::heated) && damped().has(Feature::history))
    leave_out({"Temperature"}, "temperatures are left out: what laws remember is looked at");
  if (frozen && damped().has(Feature::loads))
    leave_out({"Forces", "Moments", "Base motion"}, "forces and the motion of the base are left out");
  if (frozen && damped().has(Feature::damping))
    leave_out({"Damping", "Dashpots"}, "the damping is left out: what laws dissipate is looked at");
}

void VerifySubject::read(const Deck &given, const std::vector<std::string> &settings)
{
  conservative.reset();
  frozen.reset();
  run.reset();
  deck = std::make_unique<Deck>(given);
  for (const std::string &setting : settings)
    deck->set(setting);
  run = std::make_unique<Run>(*deck);
  run->newton().tolerance = std::min(newton_tolerance, run->newton().tolerance);
  run->structure().build();
  dofs = run->structure().facts().dofs;
}

void VerifySubject::build(const Deck &given, const std::size_t most_dofs, const bool lumped)
{
  const std::vector<std::string> mass = lumped ? std::vector<std::string>{"Elements/Mass=lumped"} : std::vector<std::string>{};
  MeshEntries mesh(given);
  mesh.refined = mesh.refinements > 0;
  std::vector<std::string> good = mass;
  read(given, good);
  const std::size_t whole = dofs;
  const double dim = run->structure().facts().dimension;
  while (dofs > most_dofs && mesh.coarsen(std::pow(double(most_dofs) / dofs, 1. / dim)))
  {
    std::vector<std::string> settings = mesh.settings();
    settings.insert(settings.end(), mass.begin(), mass.end());
    try
    {
      read(given, settings);
    }
    catch (const InputError &)  // the shape needs more cells
    {
      read(given, good);
      break;
    }
    good = settings;
  }
  if (dofs < whole)
    remarks.push_back(fmt::format("coarser: {} instead of {} degrees of freedom ({})", dofs, whole, join(mesh.settings(), ", ")));
  if (dofs > most_dofs)
  {
    steps_factor = double(most_dofs) / dofs;
    remarks.push_back(fmt::format("{} degrees of freedom, more than {}: fewer steps", dofs, most_dofs));
  }
  if (lumped)
    remarks.push_back("lumped mass");
  if (const Remembering *laws = remembering(run->structure().system()))
  {
    virgin.history = laws->heated({}, 0.);
    frozen = laws->at(virgin);
  }
  conservative = std::make_unique<ConservativeSystem>(damped());
}

void VerifySubject::make_start()
{
  const MechanicalSystem &system = undamped();
  run->structure().initialise(start);
  highest = system.diagnosis().highest_frequency(0., start.q, false);
  if (h == 0.)
    h = part_of_critical * 2. / highest;
  const auto bodies = system.rotations();
  if (std::all_of(bodies.begin(), bodies.end(), [](const Rotation &body) { return body.held; }))
  {
    other_starts.given = start;
    impose_supports(system, other_starts.given);
    make_motion();  // else only some schemes keep a body rigid, and few motions
  }
  impose_supports(system, start);
  if (other_starts.given.v.size() == 0)
    other_starts = {start, start};
}

void VerifySubject::make_motion()
{
  constexpr int most_halvings = 12;
  const MechanicalSystem &system = undamped();
  const double given_h = h;
  const bool at_rest = start.v.l2_norm() == 0.;
  Vector v = start.v, Kv = v;
  for (int i = 0; i < most_halvings; ++i, h *= 0.5)
  {
    std::vector<Vector> field{at_rest ? random_vector(system, 5) : start.v};
    smooth(system, h, start.q, field);
    v = field[0];
    system.stiffness(start.q, v, Kv, Part::all);
    frequency = std::sqrt(std::abs(v * Kv) / (2. * kinetic_energy(system, v)));
    if (h * frequency <= largest_h_frequency)
      break;
  }
  if (at_rest)
  {
    const double extent = extent_of(run->structure().facts());
    const double speed = v.linfty_norm();
    if (speed > 0.)
      v *= amplitude * extent * std::max(frequency, largest_h_frequency / h / 10.) / speed;
    remarks.push_back("at rest: a made-up smooth velocity");
  }
  else
    remarks.push_back("the initial velocity is smoothed");
  const double given_energy = kinetic_energy(system, at_rest ? v : start.v) + system.potential(start.q);
  if (h != given_h)
    remarks.push_back(fmt::format("h = {:.3g} s instead of {:.3g} s, which resolves the motion", h, given_h));
  start.v = v;
  impose_supports(system, start);
  if (is_constrained(system))
    project_on_constraints(system, start);
  other_starts.smooth = start;
  settle();
  if (!undamped().has(Feature::moving_supports))
    remarks.push_back(fmt::format("the motion looked at has settled: energy {:.3g} instead of {:.3g} of the deck's start",
                                  kinetic_energy(system, start.v) + system.potential(start.q), given_energy));
}

bool VerifySubject::has_entries(const std::string &name) const
{
  Deck copy = *deck;
  return copy.root().section("Integrator").section(name).exists();
}

void VerifySubject::settle()
{
  constexpr int steps = 24;
  const bool constrained = is_constrained(undamped());
  State state = start;
  try
  {
    const auto damper =
        scheme_with(constrained ? "newmark-constrained" : "newmark", "set beta = 0.5625\nset gamma = 1\n", undamped(), run->newton());
    begin(undamped(), *damper, state, h);
    for (int k = 0; k < steps; ++k)
      advance(undamped(), *damper, state, h);
  }
  catch (const ComputationError &error)
  {
    remarks.push_back(std::string("the start is not settled: ") + error.what());
    return;
  }
  catch (const InputError &error)  // the scheme does not serve the deck
  {
    remarks.push_back(std::string("the start is not settled: ") + error.what());
    return;
  }
  if (!undamped().has(Feature::moving_supports))
    state.t = 0.;
  state.n = 0;
  state.memory.clear();
  start = state;
}

double VerifySubject::step_for(const Integrator &integrator, const MechanicalSystem &system) const
{
  const double stable = integrator.promise(system).stable_h_omega;
  return std::isfinite(stable) ? std::min(h, part_of_critical * stable / highest) : h;
}

std::unique_ptr<Integrator> VerifySubject::scheme(const std::string &name, const MechanicalSystem &system) const
{
  std::string path = "Integrator/" + name;
  for (const auto &stage : run->stages())
    if (const TimeStepping *stepping = chosen_stepping(*stage); stepping && stepping->scheme == name)
    {
      path = stepping->parameters->path();
      break;
    }
  Deck copy = *deck;
  Parameters p(copy, path);
  auto integrator = Registry<Integrator>::instance().make(name);
  integrator->declare(p);
  integrator->newton = &run->newton();
  check_scheme(*integrator, system, p);
  return integrator;
}
}  // namespace symdyn
