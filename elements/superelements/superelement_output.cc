#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/files/node_files.h"
#include "elements/gram/director_rotation.h"
#include "elements/superelements/superelement.h"
#include "solver/base/log.h"

// What superelements report and draw.
namespace symdyn
{
std::vector<Column> Superelement::columns(const Units &) const { return {{called + ".rotation", "rad"}}; }

/// The largest angle by which a line turns.
double Superelement::largest_rotation(const Vector &q) const
{
  constexpr double short_arm = 0.1;  // of the longest one
  std::vector<double> of_ranks;
  for (const Line &line : lines)
    for (int d = 0; d < block; ++d)
      of_ranks.push_back(seen->owns(line.site) ? q.local_element(block * seen->local(line.site) + d) : 0.);
  dealii::Utilities::MPI::sum(of_ranks, q.get_mpi_communicator(), of_ranks);
  std::vector<GramVector> u(lines.size(), GramVector{});
  GramVector mean{};
  double longest = 0, largest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
  {
    std::copy_n(of_ranks.begin() + block * i, block, u[i].begin());
    if (lines[i].is_director)
      continue;
    add(1. / double(nodes.size()), u[i], mean);
    longest = std::max(longest, norm(lines[i].arm));
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
  {
    const auto &[site, arm, is_director] = lines[i];
    const GramVector turned = combination(combination(arm, 1., u[i]), is_director ? 0. : -1., mean);
    if (is_director || norm(arm) > short_arm * longest)
      largest = std::max(largest, norm(smallest_rotation(arm, turned)));
  }
  return largest;
}

void Superelement::values(const State &state, std::vector<double> &out) const
{
  constexpr double small = 0.1;
  out.push_back(largest_rotation(state.q));
  if (warned || !(out.back() > small))
    return;
  warned = true;
  log_warning(
      fmt::format("superelement '{}' does not turn with its masters, and at t = {:.6g} they turn by {:.3g} rad: beyond {} its forces are "
                  "wrong. Use the cells of its body",
                  called, state.t, out.back(), small));
}

std::vector<double> Superelement::coordinates(const Vector &q) const
{
  std::vector<double> x;
  for (const Row &row : rows)
  {
    double &sum = x.emplace_back(0.);
    for (const auto &[dof, factor] : row)
      if (const SitePlan::Site site = sites[dof / block]; seen->owns(site))
        sum += factor * q.local_element(block * seen->local(site) + dof % block);
  }
  dealii::Utilities::MPI::sum(x, q.get_mpi_communicator(), x);
  return x;
}

/// On the rank of the first node.
void Superelement::draw_inside(const Vector &q, NodeFrame &drawn) const
{
  const std::vector<double> x = coordinates(q);
  const DrawnShapes &inside = model.inside;
  if (!seen->owns(nodes.front().site))
    return;
  std::vector<double> u(inside.places.size(), 0.);
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] += inside.shapes[k][i] * x[k];
  for (std::size_t cell = 0, from = 0; cell < inside.ends.size(); from = inside.ends[cell++])
  {
    drawn.add_cell(inside.types[cell], inside.ends[cell] - from);
    for (std::size_t i = from; i < std::size_t(inside.ends[cell]); ++i)
    {
      const std::size_t at = 3 * std::size_t(inside.connectivity[i]);
      for (const double X : placed({inside.places[at], inside.places[at + 1], inside.places[at + 2]}, false))
        drawn.places.values.push_back(X);
      for (const double component : placed({u[at], u[at + 1], u[at + 2]}, true))
        drawn.fields[0].values.push_back(component);
    }
  }
}

void Superelement::draw(const State &state, NodeFrame &drawn) const
{
  if (recovers)
    return draw_inside(state.q, drawn);
  constexpr std::uint8_t vtk_line = 3;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    if (seen->owns(nodes[i].site) && seen->local(nodes[i - 1].site) >= 0)
    {
      drawn.add_cell(vtk_line, 2);
      for (const PartPlaces::End &end : {nodes[i - 1], nodes[i]})
        for (int d = 0; d < 3; ++d)
        {
          drawn.places.values.push_back(end.position[d]);
          drawn.fields[0].values.push_back(d < block ? state.q.local_element(block * seen->local(end.site) + d) : 0.);
        }
    }
}

}  // namespace symdyn
