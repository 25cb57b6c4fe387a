#include "solver/stages/reduced/substructure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/diagnosis.h"
#include "solver/dynamics/weakest_motion.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/state_at_rest.h"
#include "solver/unknowns.h"

namespace symdyn
{
void SubstructureStage::declare(Parameters &p)
{
  p.add("Masters", names,
        "nodes that the reduced model keeps: names of points, boundaries and sets of nodes, or numbers of nodes; NAME.x, .y, .z or "
        ".rotations: of these nodes one component, or the rotations of beams, shells and rigid bodies; default: all that they have");
  p.add("Fixed-interface modes", request.modes, "how many of the lowest modes with the masters held; 0: none (Guyan)", between(0, 10000));
  p.add("Up to", request.highest, "or: all modes with the masters held up to this frequency [Hz]", positive());
  p.add("Eigen solver", request.solver, "of these modes: as in stages of modes", {"automatic", "krylov-schur", "lobpcg"});
  p.add("Export", formats,
        "files beside the table of coordinates: npz (NumPy), mat (MATLAB), csv (tables K, M, C, loads), dmig (NASTRAN), mtx (the stiffness "
        "as CalculiX writes it)");
  p.add("Inside", inside, "yes: the .npz file has the cells and their motion too, for superelements with Recover");
  p.add("File name", file_name, "of the .mtx file, without its ending; default: substructure-STAGE");
  if (p.given("File name") && std::count(formats.begin(), formats.end(), "mtx") == 0)
    p.fail("File name", "is of the .mtx file. Add mtx to Export, or remove the entry");
  if (inside && std::count(formats.begin(), formats.end(), "npz") == 0)
    p.fail("Inside", "is of the .npz file. Add npz to Export, or remove the entry");
  if (file_name.find('/') != std::string::npos)
    p.fail("File name", "is a name in the folder of the results. Leave folders out");
  if (names.empty())
    p.fail("Masters", "a substructure needs masters, e.g. the name of a boundary or of a point");
  if (p.given("Up to") && p.given("Fixed-interface modes"))
    p.fail("Up to", "and Fixed-interface modes exclude each other. Remove one");
  for (const std::string &format : formats)
    if (format != "npz" && format != "mat" && format != "csv" && format != "dmig" && format != "mtx")
      p.fail("Export", fmt::format("'{}' is none of npz, mat, csv, dmig, mtx", format));
}

StageTraits SubstructureStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = true;
  traits.modes = std::max(1, request.modes);
  return traits;
}

void SubstructureStage::check(Analysis &analysis)
{
  check_linear(analysis, *this);
  if (spinning(analysis.structure->system()))
    throw InputError(where + ": a substructure has no Coriolis forces, and the frame turns (Rotation). Remove that section");
  find_masters(analysis);
}

namespace
{
const std::array<std::string, 4> kinds_of_masters{"x", "y", "z", "rotations"};

/// A name, and what stands behind its last dot if that is a component.
std::pair<std::string, std::string> cut(const std::string &entry)
{
  const std::size_t dot = entry.rfind('.');
  const std::string component = dot == std::string::npos ? "" : entry.substr(dot + 1);
  if (std::count(kinds_of_masters.begin(), kinds_of_masters.end(), component) == 0)
    return {entry, ""};
  return {entry.substr(0, dot), component};
}
}  // namespace

void SubstructureStage::find_masters(const Analysis &analysis)
{
  const auto places = analysis.structure->places();
  request.dimension = places->dimension();
  request.nodes.clear();
  request.masters.clear();
  numbers.clear();
  for (const std::string &entry : names)
    try
    {
      const auto [name, component] = cut(entry);
      const std::size_t before = request.masters.size();
      const std::vector<StructureNode> nodes = places->nodes(name);
      for (std::size_t k = 0; k < nodes.size(); ++k)
      {
        const std::size_t node = add_node(nodes.size() == 1 ? name : fmt::format("{}:{}", name, k + 1), nodes[k], component);
        if (nodes.size() == 1)
          numbers[node] = number_from<long>(name).value_or(numbers[node]);
      }
      if (request.masters.size() == before)
        throw InputError(fmt::format("'{}' adds no master: its nodes do not have this component, or all are named before", entry));
    }
    catch (const InputError &error)
    {
      const bool has_end = cut(entry).second.empty() && entry.find('.') != std::string::npos;
      throw InputError(fmt::format("{}: Masters: {}{}", where, error.what(),
                                   has_end ? fmt::format("; behind the last dot stands '{}', and components are .x, .y, .z and .rotations",
                                                         entry.substr(entry.rfind('.') + 1))
                                           : ""));
    }
  long next = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  for (long &number : numbers)
    if (number == 0)
      number = ++next;
}

std::size_t SubstructureStage::add_node(const std::string &label, const StructureNode &node, const std::string &component)
{
  std::size_t k = 0;
  while (k < request.nodes.size() && request.nodes[k].site != node.site)
    ++k;
  if (k == request.nodes.size())
  {
    request.nodes.push_back(node);
    numbers.push_back(0);
  }
  for (int d = 0; d < request.dimension; ++d)
    if (component.empty() || component == kinds_of_masters[d])
    {
      std::array<double, 3> axis{};
      axis[d] = 1.;
      add_master(label + "." + kinds_of_masters[d], k, false, axis);
    }
  if (component.empty() || component == kinds_of_masters.back())
    add_rotations(label, k);
  return k;
}

/// A corner of two boundaries is one node.
void SubstructureStage::add_master(const std::string &label, const std::size_t node, const bool turns, const std::array<double, 3> &axis)
{
  if (std::none_of(request.masters.begin(), request.masters.end(),
                   [&](const Master &known) { return known.node == node && known.turns == turns && known.axis == axis; }))
    request.masters.push_back({label, node, turns, axis});
}

/// Two axes across the director of a node that has one: a shell does not resist a rotation about it. They are coordinate axes where the
/// director is along the third, and else r1, r2.
void SubstructureStage::add_rotations(const std::string &label, const std::size_t node)
{
  using Axis = std::array<double, 3>;
  constexpr double same = 1e-9;
  const std::vector<StructureNode::Director> &directors = request.nodes[node].directors;
  if (directors.empty())
    return;
  const Axis &D = directors.front().at_rest;
  const auto crossed = [&](const Axis &a) { return Axis{D[1] * a[2] - D[2] * a[1], D[2] * a[0] - D[0] * a[2], D[0] * a[1] - D[1] * a[0]}; };
  std::array<Axis, 3> e{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  const auto largest = std::max_element(D.begin(), D.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); });
  const std::size_t along = largest - D.begin();
  Axis across = crossed(e[(along + 1) % 3]);
  const double length = std::hypot(across[0], across[1], across[2]);
  if (directors.size() > 1 || 1. - std::abs(*largest) < same)
  {
    for (std::size_t d = 0; d < 3; ++d)
      if (directors.size() > 1 || d != along)
        add_master(fmt::format("{}.r{}", label, "xyz"[d]), node, true, e[d]);
    return;
  }
  for (double &component : across)
    component /= length;
  add_master(label + ".r1", node, true, across);
  add_master(label + ".r2", node, true, crossed(across));
}

void SubstructureStage::find_loads(const Analysis &analysis)
{
  const std::vector<std::string> all = analysis.system().diagnosis().load_names();
  const std::vector<bool> wanted = chosen(loads, all), &acting = analysis.loads.acting();
  const bool by_default = loads.empty() || loads.front() == "all";
  load_names.clear();
  request.loads.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    if (!wanted[i] || (acting[i] && by_default))
      continue;
    if (acting[i])
      throw InputError(fmt::format(
          "{}: load '{}' acts already, at rest, and is a part of the state. Leave it out of Loads of this stage, or of the stage before",
          where, all[i]));
    load_names.push_back(all[i]);
    request.loads.push_back(constant_load(analysis, where, all[i]));
  }
}

namespace
{
void require_held(const MechanicalSystem &inside, const LinearSolve &K_ii, const std::string &unit)
{
  if (const WeakestMotion motion = weakest_motion(inside, K_ii); motion.singular())
    throw InputError(fmt::format(
        "Masters: with them held, nothing resists a motion of the inside that is largest {} (resistance {:.1e}, rounding). Name more "
        "masters, or add a support",
        motion.in_words(unit), motion.resistance));
}
}  // namespace

Progress SubstructureStage::advance(Analysis &analysis)
{
  check_rest(analysis, *this);
  find_masters(analysis);
  find_loads(analysis);
  request.stop = analysis.should_stop;
  request.check_inside = [&](const MechanicalSystem &inside, const LinearSolve &K_ii) {
    require_held(inside, K_ii, Units::after(analysis.units.length));
  };
  const auto reduced = [&] {
    try
    {
      return reduce(analysis.system(), analysis.state, request);
    }
    catch (const InputError &error)
    {
      throw InputError(fmt::format("{}: {}", where, error.what()));
    }
  }();
  coordinates.clear();
  for (const Master &master : request.masters)
    coordinates.push_back(master.label);
  for (std::size_t i = 0; i < reduced.frequencies.size(); ++i)
    coordinates.push_back(fmt::format("mode {}", i + 1));
  report(analysis, reduced);
  compare_rigid_motions(analysis, reduced);
  write(analysis, reduced);
  return Progress::ended;
}

void SubstructureStage::report(Analysis &analysis, const Substructure &reduced) const
{
  const std::vector<double> &f = reduced.frequencies;
  const std::string unit = hertz(analysis.units);
  log_line(fmt::format("stage {}: {} masters at {} nodes, {}{}", name, request.masters.size(), request.nodes.size(),
                       f.empty() ? "no modes with the masters held (Guyan)"
                                 : fmt::format("{} modes with the masters held, {:.6g} to {:.6g} {}: the model is cut off there", f.size(),
                                               f.front(), f.back(), unit),
                       load_names.empty() ? "" : "; loads: " + join(load_names)));
  (*analysis.found)[name] = {{"masters", request.masters.size()},
                             {"modes", f.size()},
                             {"none is missing", reduced.complete},
                             {"largest fixed-interface frequency", f.empty() ? 0. : f.back()},
                             {"coupling of masters and modes", reduced.coupling}};
  if (!reduced.complete)
    log_warning(
        fmt::format("stage {}: nothing has counted the modes: of several with one frequency some may be missing. mumps counts them", name));
  constexpr double poor = 1e-7;
  if (reduced.coupling > poor)
    log_warning(
        fmt::format("stage {}: K_r between masters and modes is {:.2g} of what it couples, and 0 in theory: the linear solver is "
                    "not accurate enough. Set \"Linear solver/Type\" = mumps, or a smaller Tolerance",
                    name, reduced.coupling));
}

namespace
{
/// a·A b, or the sum of the sizes of its terms.
double form(const ReducedMatrix &A, const std::vector<double> &a, const std::vector<double> &b, const bool sizes = false)
{
  double sum = 0;
  for (std::size_t i = 0; i < A.n; ++i)
    for (std::size_t k = 0; k < A.n; ++k)
      sum += sizes ? std::abs(a[i] * A(i, k) * b[k]) : a[i] * A(i, k) * b[k];
  return sum;
}
}  // namespace

void SubstructureStage::compare_rigid_motions(Analysis &analysis, const Substructure &reduced) const
{
  const MechanicalSystem &system = analysis.system();
  if (analysis.state.q.linfty_norm() > 0.)
    return;
  const std::size_t count = system.unknowns().momenta().size(), n = reduced.K.n;
  std::vector<std::vector<double>> x;
  std::vector<Vector> xi, Mxi;
  for (std::size_t j = 0; j < count; ++j)
  {
    x.push_back(rigid_coordinates(system, j, request, n));
    xi.push_back(system.new_vector());
    Mxi.push_back(xi.back());
    system.unknowns().generator(j, analysis.state.q, xi[j]);
    Vector held = xi[j];
    system.project_prescribed(held);
    if (held.linfty_norm() > 1e-9 * xi[j].linfty_norm())
      return;
    system.mass(xi[j], Mxi[j]);
  }
  double mass = 0, stiffness = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
    {
      const double size = std::sqrt((xi[i] * Mxi[i]) * (xi[j] * Mxi[j]));
      mass = std::max(mass, std::abs(form(reduced.M, x[i], x[j]) - xi[i] * Mxi[j]) / size);
      if (const double terms = form(reduced.K, x[i], x[j], true); terms > 0.)
        stiffness = std::max(stiffness, std::abs(form(reduced.K, x[i], x[j])) / terms);
    }
  log_line(fmt::format("stage {}: rigid motions: the mass of the reduced model is that of the body to {:.1e}, its stiffness 0 to {:.1e}",
                       name, mass, stiffness));
  (*analysis.found)[name]["rigid motions"] = {{"mass", mass}, {"stiffness", stiffness}};
}
SYMDYN_REGISTER(Stage, SubstructureStage, "substructure");
}  // namespace symdyn
