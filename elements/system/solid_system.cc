#include "elements/system/solid_system.h"

#include <cmath>
#include <limits>

#include "elements/system/cell_stress_blocks.h"
#include "elements/system/degree_transfer.h"

namespace symdyn
{
template <int dim>
std::shared_ptr<const Space> make_space(const Discretisation<dim> &mesh, const std::vector<AppendedSite> &appended)
{
  const auto &sites = *mesh.node_partitioner;
  std::vector<Space::Place> X(mesh.position.size());
  for (std::size_t local = 0; local < X.size(); ++local)
    for (int d = 0; d < dim; ++d)
      X[local][d] = mesh.position[local][d];
  std::vector<std::uint64_t> identities;
  for (const std::uint64_t node : node_identities(mesh))
    for (int d = 0; d < dim; ++d)
      identities.push_back(4 * node + d);
  std::vector<char> directors;
  for (std::size_t i = 0; i < appended.size(); ++i)
  {
    const std::int64_t number = mesh.first_appended() + i;
    if (!sites.in_local_range(number) && !sites.is_ghost_entry(number))
      continue;
    const unsigned int local = sites.global_to_local(number);
    X[local] = appended[i].position;
    if (appended[i].is_director)
    {
      directors.resize(X.size(), 0);
      directors[local] = appended[i].kind();
    }
    for (int d = 0; d < dim && sites.in_local_range(number); ++d)
      identities.push_back(std::numeric_limits<std::uint64_t>::max() - (dim * i + d));
  }
  return std::make_shared<Space>(dim, mesh.node_partitioner, mesh.partitioner, std::move(X), std::move(directors), std::move(identities));
}

namespace
{
template <int dim>
class Transfer : public SiteTransfer
{
public:
  Transfer(const Discretisation<dim> &fine, const Discretisation<dim> &coarse) : transfer(fine, coarse) {}
  void inject(const Vector &fine, Vector &coarse) const override { transfer.inject(fine, coarse); }
  void prolong(const Vector &coarse, Vector &fine) const override { transfer.prolong(coarse, fine); }
  void restrict(const Vector &fine, Vector &coarse) const override { transfer.restrict(fine, coarse); }

private:
  DegreeTransfer<dim> transfer;
};

/// The same with elements of degree 1, without loads.
template <int dim>
std::unique_ptr<CoarseSites> coarser(const SolidBody<dim> &fine)
{
  typename SolidBody<dim>::Parts parts = fine.all_parts();
  parts.mesh = std::make_shared<Discretisation<dim>>(fine.mesh(), 1);
  parts.supports = std::make_shared<Supports<dim>>(fine.supports());
  parts.held = nullptr;
  parts.loads.clear();
  parts.rotation = nullptr;
  parts.linear_solver = nullptr;
  auto coarse = std::make_unique<CoarseSites>();
  const auto body = std::make_shared<SolidBody<dim>>(std::move(parts));
  coarse->body = body;
  coarse->system = std::make_unique<AssembledSystem>(system_parts(*body, make_space(body->mesh())));
  coarse->transfer = std::make_unique<Transfer<dim>>(fine.mesh(), body->mesh());
  return coarse;
}
}  // namespace

template <int dim>
AssembledSystem::Parts system_parts(const SolidBody<dim> &body, std::shared_ptr<const Space> space)
{
  const auto &of_body = body.all_parts();
  AssembledSystem::Parts parts;
  parts.space = std::move(space);
  parts.terms = {body.cells()};
  parts.cells = body.mass();
  parts.mass_damping = of_body.damping.mass;
  parts.supports = {of_body.supports};
  parts.loads = of_body.loads;
  parts.base = of_body.base;
  parts.rotation = of_body.rotation;
  parts.pattern = body.pattern();
  parts.linear_solver = of_body.linear_solver;
  parts.linear_tolerance = of_body.linear_tolerance;
  parts.actions = of_body.actions;
  parts.degree = body.mesh().degree();
  parts.smallest_edge = body.mesh().smallest_edge;
  // Operations: nodes² points a cell for a matrix, about 9 points for a force. It gives 7 for Q1, as timed on the beam of the benchmarks
  // (assembly over residual), and 81 for Q2, where the kernels alone differ by about 60.
  int nodes = 0;
  for (const CellRegion<dim> &region : body.mesh().regions)
    nodes = std::max(nodes, region.n_nodes());
  parts.cost_of_matrix = std::pow(nodes, 2) / 9.;
  parts.coarser = [&body] { return coarser(body); };
  parts.stresses = {[&body](const State &about, const Vector &u, const double factor) { return stress_of_cells(body, about, u, factor); }};
  return parts;
}

template std::shared_ptr<const Space> make_space(const Discretisation<2> &, const std::vector<AppendedSite> &);
template std::shared_ptr<const Space> make_space(const Discretisation<3> &, const std::vector<AppendedSite> &);
template AssembledSystem::Parts system_parts(const SolidBody<2> &, std::shared_ptr<const Space>);
template AssembledSystem::Parts system_parts(const SolidBody<3> &, std::shared_ptr<const Space>);
}  // namespace symdyn
