#include "solver/stages/periodic/orbit_system.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
OrbitSystem::OrbitSystem(const MechanicalSystem &whole, const double rest, const Vector *force, const double period, const double factor)
    : whole(whole), rest(rest), force(force), period(period), strength(factor)
{
}

void OrbitSystem::applied_force(const double t, const Vector &q, const Vector &v, Vector &f) const
{
  whole.applied_force(rest, q, v, f);
  if (force)
    f.add(strength * std::cos(2. * dealii::numbers::PI * t / period), *force);
}

void OrbitSystem::impose(double, Vector &q, Vector &v, Vector &a) const
{
  whole.impose(rest, q, v, a);
  whole.project(v);
  whole.project(a);
}

bool OrbitSystem::is_at(const Linearisation &terms) const
{
  const auto same = [](const Vector &a, const Vector &b) { return std::equal(a.begin(), a.begin() + a.locally_owned_size(), b.begin()); };
  const bool here = made && made->current() &&
                    std::equal(terms.begin(), terms.end(), places.begin(), places.end(), [&](const LinearTerm &term, const Place &place) {
                      return term.weights == place.weights && same(*term.q, place.q) && same(*term.v, place.v);
                    });
  return dealii::Utilities::MPI::min(int(here), whole.new_vector().get_mpi_communicator()) == 1;
}

std::shared_ptr<const LinearSolve> OrbitSystem::factor(const Linearisation &terms) const
{
  const bool simple = std::all_of(terms.begin(), terms.end(), [](const LinearTerm &term) {
    return !term.from && !term.before && !term.across && term.part == Part::all;
  });
  if (simple && is_at(terms))
    return made;
  Linearisation at_rest = terms;
  places.clear();
  for (LinearTerm &term : at_rest)
  {
    term.t = rest;
    if (simple)
      places.push_back({term.weights, *term.q, *term.v});
  }
  made = whole.factor(at_rest);
  return made;
}
}  // namespace symdyn
