#include "elements/system/node_masses.h"

#include <map>

namespace symdyn
{
NodeMasses::NodeMasses(const NodalSystem &body, const JointLayout &layout, const DiscreteSystem::Parts &parts) : layout(layout)
{
  if (body.has(Feature::diagonal_mass))
    divide(body, parts);
  else
    solve_columns(body, parts);
}

void NodeMasses::divide(const NodalSystem &body, const DiscreteSystem::Parts &parts)
{
  const int n = layout.components();
  Vector one = body.new_vector(), masses = one;
  one = 1.;
  body.mass(one, masses);
  std::map<int, double> added;  // several points may stand on one node
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    if (parts.points[k].node >= 0 && parts.points[k].mass != 0. && layout.owns(k))
      added[layout.node(k)] += parts.points[k].mass;
  for (const auto &[node, mass] : added)
    factors.emplace_back(node, masses.local_element(n * node) / (masses.local_element(n * node) + mass));
}

void NodeMasses::solve_columns(const NodalSystem &body, const DiscreteSystem::Parts &parts)
{
  const int n = layout.components();
  std::vector<double> masses;
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    for (int d = 0; d < n && parts.points[k].node >= 0 && parts.points[k].mass != 0.; ++d)
    {
      coordinates.push_back(n * k + d);
      masses.push_back(parts.points[k].mass);
    }
  inverse.reinit(coordinates.size(), coordinates.size());
  for (std::size_t j = 0; j < coordinates.size(); ++j)
  {
    std::vector<double> unit(n * parts.points.size(), 0.);
    Vector joint = layout.new_vector(), force = body.new_vector();
    unit[coordinates[j]] = 1.;
    layout.add(unit.data(), joint);
    layout.to_body(joint, force);
    columns.push_back(body.new_vector());
    body.mass_solve(force, columns.back());
    layout.from_body(columns.back(), joint);
    const std::vector<double> seen = layout.gather(joint);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      inverse(i, j) = seen[coordinates[i]] + (i == j ? 1. / masses[j] : 0.);
  }
  if (!coordinates.empty())
    inverse.gauss_jordan();
}

void NodeMasses::solve(Vector &v) const
{
  for (const auto &[node, factor] : factors)
    for (int d = 0; d < layout.components(); ++d)
      v.local_element(layout.components() * node + d) *= factor;
  if (coordinates.empty())
    return;
  const std::vector<double> seen = layout.gather(v);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
  {
    double impulse = 0;
    for (std::size_t j = 0; j < coordinates.size(); ++j)
      impulse += inverse(i, j) * seen[coordinates[j]];
    for (unsigned int k = 0; k < columns[i].locally_owned_size(); ++k)
      v.local_element(k) -= impulse * columns[i].local_element(k);
  }
}
}  // namespace symdyn
