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

void Superelement::draw(const State &state, NodeFrame &drawn) const
{
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
