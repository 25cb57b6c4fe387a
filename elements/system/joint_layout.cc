#include "elements/system/joint_layout.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

JointLayout::JointLayout(const NodalSystem &body, const DiscreteSystem::Parts &parts, const BlockPattern &coupled)
    : body(body), n(body.components()), communicator(body.nodes()->get_mpi_communicator())
{
  is_first = MPI::this_mpi_process(communicator) == 0;
  parallel = MPI::n_mpi_processes(communicator) > 1;
  const std::int64_t mine = body.nodes()->locally_owned_size();
  of_first = parallel ? MPI::broadcast(communicator, mine, 0) : mine;
  for (const auto &point : parts.points)
  {
    own.push_back(point.node < 0);
    own_points += own.back();
  }
  std::int64_t next = of_first;
  for (const auto &point : parts.points)
    number.push_back(point.node < 0 ? next++ : joint_number(point.node));
  make_partitioners(coupled);
  find_projectors(parts);
}

void JointLayout::make_partitioners(const BlockPattern &coupled)
{
  const auto &of_body = *body.nodes();
  const bool no_couplings = coupled.own_column.size() == number.size();
  is_plain = own_points == 0 && (!parallel || no_couplings);
  joint_nodes = body.nodes();
  dofs = body.new_vector().get_partitioner();
  if (!is_plain)
  {
    const auto [begin, end] = of_body.local_range();
    dealii::IndexSet owned_nodes(of_body.size() + own_points), owned_dofs(n * owned_nodes.size()), ghosts(owned_nodes.size()),
        ghost_dofs(owned_dofs.size());
    const std::int64_t shift = is_first ? 0 : own_points;
    owned_nodes.add_range(begin + shift, end + own_points);
    owned_dofs.add_range(n * (begin + shift), n * (end + own_points));
    for (const auto ghost : of_body.ghost_indices())
      ghosts.add_index(joint_number(ghost));
    for (std::size_t k = 0; k < number.size(); ++k)
      for (int p = coupled.own_start[k]; p < coupled.own_start[k + 1]; ++p)
        if (owned_nodes.is_element(number[k]) && !owned_nodes.is_element(number[coupled.own_column[p]]))
          ghosts.add_index(number[coupled.own_column[p]]);
    ghosts.compress();
    for (const auto ghost : ghosts)
      ghost_dofs.add_range(n * ghost, n * (ghost + 1));
    joint_nodes = std::make_shared<MPI::Partitioner>(owned_nodes, ghosts, communicator);
    dofs = std::make_shared<MPI::Partitioner>(owned_dofs, ghost_dofs, communicator);
  }
  owned = joint_nodes->locally_owned_size();
  for (const std::int64_t node : number)
    at.push_back(joint_nodes->in_local_range(node) || joint_nodes->is_ghost_entry(node) ? int(joint_nodes->global_to_local(node)) : -1);
}

void JointLayout::find_projectors(const DiscreteSystem::Parts &parts)
{
  projectors.assign(number.size(), Projector{});
  for (int column = 0; column < n; ++column)
  {
    std::vector<double> unit(n * number.size(), 0.);
    Vector e = new_vector(), of_body = body.new_vector();
    for (std::size_t k = 0; k < number.size(); ++k)
    {
      unit[n * k + column] = 1.;
      if (owns(k))
        e.local_element(n * at[k] + column) = 1.;
    }
    to_body(e, of_body);
    body.project(of_body);
    from_body(of_body, e);
    assign_own(unit.data(), e, [&](const int k, const int d) { return !parts.points[k].holds(d); });
    const std::vector<double> left = gather(e);
    for (std::size_t k = 0; k < number.size(); ++k)
      for (int row = 0; row < n; ++row)
        projectors[k][n * row + column] = left[n * k + row];
  }
}

int JointLayout::joint_node(const int node_of_body) const
{
  return is_plain ? node_of_body : int(joint_nodes->global_to_local(joint_number(body.nodes()->local_to_global(node_of_body))));
}

void JointLayout::to_body(const Vector &x, Vector &of_body) const { std::copy_n(x.begin(), of_body.locally_owned_size(), of_body.begin()); }

void JointLayout::from_body(const Vector &of_body, Vector &x) const
{
  std::copy_n(of_body.begin(), of_body.locally_owned_size(), x.begin());
  std::fill(x.begin() + of_body.locally_owned_size(), x.begin() + x.locally_owned_size(), 0.);
}

void JointLayout::gather(const Vector &x, double *w) const
{
  std::fill_n(w, n * at.size(), 0.);
  for (std::size_t k = 0; k < at.size(); ++k)
    if (owns(k))
      std::copy_n(x.begin() + n * at[k], n, w + n * k);
  if (parallel)
    MPI::sum(dealii::ArrayView<const double>(w, n * at.size()), communicator,
             dealii::ArrayView<double>(w, n * at.size()));  // one rank owns each
}

std::vector<double> JointLayout::gather(const Vector &x) const
{
  std::vector<double> w(n * at.size());
  gather(x, w.data());
  return w;
}

void JointLayout::add(const double *w, Vector &x) const
{
  for (std::size_t k = 0; k < at.size(); ++k)
    if (owns(k))
      for (int d = 0; d < n; ++d)
        x.local_element(n * at[k] + d) += w[n * k + d];
}
}  // namespace symdyn
