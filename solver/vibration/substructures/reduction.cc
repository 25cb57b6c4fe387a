#include "solver/vibration/substructures/reduction.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/holding.h"
#include "solver/unknowns.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
namespace
{
using Axis = std::array<double, 3>;
Axis crossed(const Axis &a, const Axis &b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double product(const Axis &a, const Axis &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class Reduction
{
public:
  Reduction(const MechanicalSystem &given, const State &about, const SubstructureRequest &request)
      : holder(dynamic_cast<const HoldsMore &>(whole(given))),
        request(request),
        about(about),
        exact_directors(given.nodal_constraints() != nullptr),
        seen(given, about.t, about.q),
        held(holder.holding(about, held_dofs())),
        inside(*held, about.t, about.q)
  {
  }

  Substructure run()
  {
    check_linear_motion(*seen, about.t, about.q);
    refuse_exact_directors();
    add_constraint_modes();
    if (request.wants_modes())
      add_fixed_modes();
    project();
    return std::move(made);
  }

private:
  void refuse_exact_directors() const
  {
    for (const Master &master : request.masters)
      if (exact_directors && !request.nodes[master.node].directors.empty())
        throw InputError(
            fmt::format("Masters: '{}' is a node whose directors are exact, which a substructure cannot hold. Set "
                        "Elements/Directors = elastic",
                        master.label));
  }
  std::vector<std::uint64_t> held_dofs() const
  {
    std::set<std::uint64_t> dofs;
    for (const Master &master : request.masters)
      visit(
          master, [&](const std::uint64_t dof, double) { dofs.insert(dof); }, true);
    return {dofs.begin(), dofs.end()};
  }
  /// Calls take(dof, value) of the unit motion; with `all`: of all components that it holds.
  template <class Take>
  void visit(const Master &master, const Take &take, const bool all = false) const
  {
    const StructureNode &node = request.nodes[master.node];
    const auto at = [&](const std::uint64_t site, const Axis &u) {
      for (int d = 0; d < request.dimension; ++d)
        if (all ? master.turns || u[d] != 0. : u[d] != 0.)
          take(request.dimension * site + d, u[d]);
    };
    if (!master.turns)
      return at(node.site, master.axis);
    for (const auto &director : node.directors)
      at(director.site, crossed(master.axis, director.at_rest));
  }

  /// Errors: InputError for a master that is not free to move alone.
  Vector unit_motion(const Master &master) const
  {
    Vector u = seen->new_vector();
    const auto own = u.get_partitioner();
    visit(master, [&](const std::uint64_t dof, const double value) {
      if (own->in_local_range(dof))
        u(dof) = value;
    });
    holder.follow(u);
    double lost = 0;
    visit(master, [&](const std::uint64_t dof, const double value) {
      if (own->in_local_range(dof))
        lost = std::max(lost, std::abs(u(dof) - value));
    });
    if (dealii::Utilities::MPI::max(lost, u.get_mpi_communicator()) > rounding)
      throw InputError(
          fmt::format("Masters: '{}' follows other nodes by an equation, a tie or a coupling. Take these, or the reference of the coupling",
                      master.label));
    Vector taken = u;
    seen->project_prescribed(taken);
    if (taken.linfty_norm() > rounding)
      throw InputError(fmt::format("Masters: '{}' is held by a support. Leave it out, or let the support go", master.label));
    u.update_ghost_values();
    return u;
  }

  void add_constraint_modes()
  {
    const ScopedTimer timer("constraint modes");
    const Vector rest = seen->new_vector();
    const auto K_ii = inside->factor(K, about.t, about.q, rest);
    if (request.check_inside)
      request.check_inside(*inside, *K_ii);
    constexpr std::size_t at_once = 32;
    for (std::size_t from = 0; from < request.masters.size(); from += at_once)
    {
      const std::size_t here = std::min(at_once, request.masters.size() - from);
      std::vector<Vector> r(here, rest), x = r;
      for (std::size_t k = 0; k < here; ++k)
      {
        made.T.push_back(unit_motion(request.masters[from + k]));
        tangent(*seen, about.t, about.q, made.T.back(), r[k]);
        stiffness.push_back(made.T.back() * r[k]);
        inside->project(r[k]);
      }
      K_ii->solve_all(r, x, std::min(K_ii->tolerance(), tight));
      for (std::size_t k = 0; k < here; ++k)
      {
        made.T[from + k] -= x[k];
        made.T[from + k].update_ghost_values();
      }
    }
  }

  void add_fixed_modes()
  {
    ModesRequest modes;
    modes.highest = request.highest;
    modes.number = std::max(1, request.modes);
    modes.solver = request.solver;
    modes.stop = request.stop;
    modes.none_is_allowed = true;
    Modes found = find_modes(*inside, about.t, about.q, modes);
    if (found.size() == 0)
      throw InputError(fmt::format(
          "Up to: with the masters held no mode of the inside lies below {:g} Hz. Raise it, or remove it: then the inside follows without "
          "modes of its own (Guyan)",
          request.highest));
    made.complete = found.complete;
    for (std::size_t i = 0; i < found.size(); ++i)
    {
      if (found.kinds[i] != Modes::vibration)
        throw InputError(
            fmt::format("Masters: with them held, mode {} of the inside is {}: it does not vibrate. Name more masters, or add a "
                        "support",
                        i + 1, in_words(found.kinds[i])));
      made.frequencies.push_back(found.frequency(i));
      squares.push_back(found.squares[i]);
      found.shapes[i].update_ghost_values();
      made.T.push_back(std::move(found.shapes[i]));
    }
  }

  /// K_r between masters and modes is 0, and omega² and 1 are known of the modes. Where supports of masters could be statically
  /// determinate, all of K_r between masters is 0, too.
  void project()
  {
    const std::size_t n = made.T.size(), b = request.masters.size();
    made.damped = seen->has(Feature::damping);
    made.K = made.M = made.C = ReducedMatrix(n);
    Vector f = seen->new_vector();
    for (std::size_t j = 0; j < n; ++j)
    {
      tangent(*seen, about.t, about.q, made.T[j], f);
      fill(made.K, j, f);
      seen->mass(made.T[j], f);
      fill(made.M, j, f);
      if (made.damped)
      {
        seen->damping_force(about.q, made.T[j], f);
        fill(made.C, j, f);
      }
    }
    for (ReducedMatrix *A : {&made.K, &made.M, &made.C})
      make_symmetric(*A);
    for (std::size_t j = b; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i)
      {
        if (i < b)
          made.coupling = std::max(made.coupling, std::abs(made.K(i, j)) / std::sqrt(resistance(i) * squares[j - b]));
        made.K(i, j) = made.K(j, i) = 0.;
      }
    for (std::size_t j = b; j < n; ++j)
      made.K(j, j) = squares[j - b];
    for (std::size_t i = 0; i < b; ++i)
      for (std::size_t j = 0; j < b; ++j)
        if (std::abs(made.K(i, j)) < rounding * std::sqrt(stiffness[i] * stiffness[j]))
          made.K(i, j) = 0.;
    for (const Vector &load : request.loads)
    {
      made.loads.emplace_back();
      for (const Vector &u : made.T)
        made.loads.back().push_back(u * load);
    }
  }
  /// Of a master, or where that is rounding with all else at rest.
  double resistance(const std::size_t i) const
  {
    return std::abs(made.K(i, i)) > rounding * stiffness[i] ? std::abs(made.K(i, i)) : stiffness[i];
  }
  void fill(ReducedMatrix &A, const std::size_t j, const Vector &f) const
  {
    for (std::size_t i = 0; i < A.n; ++i)
      A(i, j) = made.T[i] * f;
  }
  static void make_symmetric(ReducedMatrix &A)
  {
    for (std::size_t i = 0; i < A.n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));
  }

  static constexpr double tight = 1e-13, rounding = 1e-12;
  const HoldsMore &holder;
  const SubstructureRequest &request;
  const State &about;
  bool exact_directors;
  AtRest seen;
  CopiedSystem held;
  AtRest inside;
  Substructure made;
  std::vector<double> squares;    ///< omega² of the modes
  std::vector<double> stiffness;  ///< u K u of unit motions of the masters with all else at rest
};
}  // namespace

Substructure reduce(const MechanicalSystem &system, const State &about, const SubstructureRequest &request)
{
  return Reduction(system, about, request).run();
}

std::vector<double> rigid_coordinates(const MechanicalSystem &system, const std::size_t j, const SubstructureRequest &request,
                                      const std::size_t size)
{
  const std::string momentum = system.unknowns().momenta()[j];
  const std::size_t along = std::string("xyz").find(momentum.back());
  std::vector<double> coordinates(size, 0.);
  Axis unit{};
  unit[along] = 1.;
  for (std::size_t i = 0; i < request.masters.size(); ++i)
  {
    const Master &master = request.masters[i];
    const bool rotation = momentum[0] == 'J';
    const Axis motion = rotation && !master.turns ? crossed(unit, request.nodes[master.node].position) : unit;
    if (rotation || !master.turns)
      coordinates[i] = product(master.axis, motion);
  }
  return coordinates;
}
}  // namespace symdyn
