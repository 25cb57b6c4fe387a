#include "elements/system/assembled_cyclic.h"

#include <cmath>
#include <stdexcept>

// Motions of a whole of equal sectors, with nodal diameters.
namespace symdyn
{
namespace
{
[[noreturn]] void refuse_nonlinear() { throw std::logic_error("a motion with nodal diameters is linear"); }
}  // namespace

std::unique_ptr<CyclicMotion> AssembledSystem::motion(const MechanicalSystem &seen, const int n) const
{
  return std::make_unique<Motion>(*this, seen, n);
}

AssembledSystem::Motion::Motion(const AssembledSystem &sector, const MechanicalSystem &seen, const int n)
    : of_sector(sector),
      seen(seen),
      n(n),
      layout{sector.parts.space->block(), n == 0 || 2 * n == sector.sectors() ? 1 : 2},
      weight(double(sector.sectors()) / layout.number),
      sites(expanded(*sector.parts.space->sites(), layout.number)),
      dofs(expanded(*sites, sector.parts.space->block())),
      solver(sector.parts.linear_solver->fresh())
{
  solver->solves_often = true;
  relations = std::make_unique<SiteRelations>(
      relations_of_copies(), sector.parts.space->block(), sites,
      [this](const int site) { return of_sector.parts.projector_of(site / layout.number); }, massless_of_copies());
}

/// u_high = e^(i n alpha) Q u_low of u = c + i s; all other relations hold for each copy.
std::vector<SiteRelation> AssembledSystem::Motion::relations_of_copies() const
{
  const double cosine = std::cos(phase()), sine = layout.number == 2 ? std::sin(phase()) : 0.;
  constexpr double rounding = 1e-15;
  std::vector<SiteRelation> all;
  for (const SiteRelation &one : of_sector.parts.relations.all->all())
    for (int copy = 0; copy < layout.number; ++copy)
    {
      all.push_back({one.name, one.where, {}});
      auto &terms = all.back().terms;
      for (const auto &[of, factor] : one.terms)
      {
        const bool low = one.of_cut && !terms.empty();
        if (!low || std::abs(cosine) > rounding)
          terms.emplace_back(layout.at(of, copy), low ? cosine * factor : factor);
        if (low && std::abs(sine) > rounding)
          terms.emplace_back(layout.at(of, 1 - copy), (copy == 0 ? -sine : sine) * factor);
      }
    }
  return all;
}

std::vector<SiteRelations::Massless> AssembledSystem::Motion::massless_of_copies() const
{
  std::vector<SiteRelations::Massless> all;
  for (const SiteRelations::Massless &one : of_sector.parts.relations.massless)
    for (int copy = 0; copy < layout.number; ++copy)
      all.push_back({layout.at(one.dof, copy), one.point});
  return all;
}

Vector AssembledSystem::Motion::sector(const Vector &u, const int k) const
{
  Vector moved = of_sector.new_vector(), sine = moved;
  layout.take(u, 0, moved);
  moved *= std::cos(k * phase());
  if (layout.number == 2)
  {
    layout.take(u, 1, sine);
    moved.add(-std::sin(k * phase()), sine);
  }
  moved.update_ghost_values();
  return moved;
}

Vector AssembledSystem::Motion::force(const Vector &c, const Vector &s) const
{
  Vector f = new_vector();
  layout.put(c, 0, weight, f);
  if (layout.number == 2)
    layout.put(s, 1, weight, f);
  f.update_ghost_values();
  return f;
}

Vector AssembledSystem::Motion::quarter(const Vector &u) const
{
  Vector turned = new_vector(), one = of_sector.new_vector();
  for (int copy = 0; copy < layout.number; ++copy)
  {
    layout.take(u, copy, one);
    layout.put(one, 1 - copy, copy == 0 ? 1. : -1., turned);
  }
  return turned;
}

void AssembledSystem::Motion::mass(const Vector &v, Vector &Mv) const
{
  by_copies(v, weight, Mv, [this](const Vector &x, Vector &y) { seen.mass(x, y); });
}

void AssembledSystem::Motion::stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const
{
  by_copies(u, weight, Ku, [&](const Vector &x, Vector &y) { seen.stiffness(q, x, y, part); });
}

void AssembledSystem::Motion::damping_force(const Vector &q, const Vector &v, Vector &f) const
{
  by_copies(v, weight, f, [&](const Vector &x, Vector &y) { seen.damping_force(q, x, y); });
}

void AssembledSystem::Motion::add_load_stiffness(const double t, const Vector &q, const Vector &u, Vector &Ku) const
{
  if (!seen.has(Feature::follower_loads))
    return;
  Vector sum = new_vector();
  by_copies(u, weight, sum, [&](const Vector &x, Vector &y) { seen.add_load_stiffness(t, q, x, y); });
  Ku += sum;
}

double AssembledSystem::Motion::dissipation(const Vector &q, const Vector &v) const
{
  Vector f = new_vector();
  damping_force(q, v, f);
  return 0.5 * (f * v);
}

void AssembledSystem::Motion::project(Vector &r) const
{
  project_supports(r);
  relations->project(r);
}

void AssembledSystem::Motion::project_supports(Vector &r) const
{
  by_copies(Vector(r), 1., r, [this](const Vector &x, Vector &y) {
    y = x;
    of_sector.project_supports(y);
  });
}

void AssembledSystem::Motion::project_prescribed(Vector &r) const
{
  Vector free(r);
  project(free);
  r -= free;
}

/// Supports rest in a motion about a state.
void AssembledSystem::Motion::impose(double, Vector &, Vector &v, Vector &a) const
{
  project(v);
  project(a);
}

bool AssembledSystem::Motion::has(const Feature feature) const
{
  return feature != Feature::diagonal_mass && feature != Feature::nodal_mass && seen.has(feature);
}

double AssembledSystem::Motion::potential(const Vector &) const { refuse_nonlinear(); }
ForceReport AssembledSystem::Motion::internal_force(const Vector &, Vector &) const { refuse_nonlinear(); }
void AssembledSystem::Motion::third_derivative(const Vector &, const Vector &, Vector &, Part) const { refuse_nonlinear(); }
ForceReport AssembledSystem::Motion::discrete_gradient(const Vector &, const Vector &, Vector &) const { refuse_nonlinear(); }
void AssembledSystem::Motion::applied_force(double, const Vector &, const Vector &, Vector &) const { refuse_nonlinear(); }

std::vector<std::uint64_t> AssembledSystem::Motion::identities() const
{
  const std::vector<std::uint64_t> of_one = of_sector.unknowns().identities();
  std::vector<std::uint64_t> all(layout.number * of_one.size());
  for (std::size_t i = 0; i < of_one.size(); ++i)
    for (int copy = 0; copy < layout.number; ++copy)
      all[layout.at(i, copy)] = layout.number * of_one[i] + copy;
  return all;
}

double AssembledSystem::Motion::norm(const Vector &f) const
{
  double square = 0;
  Vector one = of_sector.new_vector();
  for (int copy = 0; copy < layout.number; ++copy)
  {
    layout.take(f, copy, one);
    square += std::pow(of_sector.parts.space->norm(one), 2);
  }
  return std::sqrt(square);
}

void AssembledSystem::Motion::rigid(const Place &translation, const Place &rotation, const Vector &q, Vector &xi) const
{
  const Space &space = *of_sector.parts.space;
  const Place at_origin = difference(translation, cross(rotation, of_sector.parts.cyclic->point));
  const std::vector<std::string> names = space.momenta();
  Vector one = space.new_vector();
  xi.zero_out_ghost_values();
  xi = 0.;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const double factor = (names[i][0] == 'P' ? at_origin : rotation)[names[i].back() - 'x']; factor != 0.)
    {
      space.generator(i, q, one);
      one.zero_out_ghost_values();
      xi.add(factor, one);
    }
}

/// A rigid motion of the whole is, in axes that turn with sector k, U_0 + cos(k alpha) U_1 - sin(k alpha) a x U_1, U_0 along the axis, U_1
/// across it.
void AssembledSystem::Motion::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  const CyclicSymmetry &whole = *of_sector.parts.cyclic;
  const std::string name = momenta()[i];
  Place unit{}, translation{}, rotation{};
  unit[name.back() - 'x'] = 1.;
  if (name[0] == 'P')
    translation = unit;
  else
  {
    rotation = unit;
    translation = cross(unit, whole.point);
  }
  xi = 0.;
  if (n > 1)
    return;
  Vector one = of_sector.new_vector();
  for (int copy = 0; copy < layout.number; ++copy)
  {
    if (n == 0)
      rigid(whole.along(translation), whole.along(rotation), q, one);
    else if (copy == 0)
      rigid(whole.across(translation), whole.across(rotation), q, one);
    else
      rigid(cross(whole.axis, translation), cross(whole.axis, rotation), q, one);
    layout.put(one, copy, 1., xi);
  }
}

}  // namespace symdyn
