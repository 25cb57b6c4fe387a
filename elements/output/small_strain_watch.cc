#include "elements/output/small_strain_watch.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/symmetric_tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/cells/point_gradient.h"
#include "solver/base/log.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
template <int dim>
double largest_principal(const Matrix<dim> &G, const int lane)
{
  dealii::SymmetricTensor<2, dim> strain;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j <= i; ++j)
      strain[i][j] = 0.5 * (G[i][j][lane] + G[j][i][lane]);
  const auto principal = dealii::eigenvalues(strain);
  return std::max(std::abs(principal[0]), std::abs(principal[dim - 1]));
}

/// Takes the gradients of a point of `filled` cells into account.
template <int dim>
void take(const Matrix<dim> &G, const int filled, double &rotation, double &strain)
{
  for (int lane = 0; lane < filled; ++lane)
  {
    double spin = 0, size = 0;  // squares
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j <= i; ++j)
      {
        spin += std::pow(0.5 * (G[i][j][lane] - G[j][i][lane]), 2);
        size += (i == j ? 1. : 2.) * std::pow(0.5 * (G[i][j][lane] + G[j][i][lane]), 2);
      }
    rotation = std::max(rotation, std::sqrt(spin));
    if (std::sqrt(size) > strain)  // no principal value is larger than the norm
      strain = std::max(strain, largest_principal<dim>(G, lane));
  }
}

/// "linear-elasticity-anisotropic": "Type = st-venant-kirchhoff-anisotropic (in an .inp deck: *STEP, NLGEOM)".
std::string law_of_large_rotations(std::string law)
{
  const std::string small = "linear-elasticity";
  const std::size_t at = law.find(small);
  if (at == std::string::npos)
    return "a law for finite strains";
  return "Type = " + law.replace(at, small.size(), "st-venant-kirchhoff") + " (in an .inp deck: *STEP, NLGEOM)";
}
}  // namespace

template <int dim>
typename SmallStrainWatch<dim>::Largest SmallStrainWatch<dim>::largest(const SolidBody<dim> &system, const Vector &q)
{
  const Discretisation<dim> &mesh = system.mesh();
  q.update_ghost_values();
  std::map<unsigned int, std::pair<double, double>> of_material;  // rotation, strain
  for (const auto &[id, use] : system.all_parts().materials)
    if (use.law->small_strain())
      of_material[id] = {0., 0.};
  for (const CellRegion<dim> &region : mesh.regions)
  {
    const ReferenceElement<dim> &table = region.family.stiffness;
    std::vector<Wide> u(table.nodes * dim);
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      const auto found = of_material.find(region.batches[batch].material);
      if (found == of_material.end())
        continue;
      const auto X = region.batch_vertices(batch);
      region.gather(batch, q, u.data());
      for (int point = 0; point < table.points; ++point)
        take<dim>(gradient_at<dim>(table, point, X, u.data()), region.batches[batch].filled, found->second.first, found->second.second);
    }
  }
  Largest all;
  for (const auto &[id, values] : of_material)
  {
    const double rotation = MPI::max(values.first, mesh.communicator), strain = MPI::max(values.second, mesh.communicator);
    if (all.material.empty() || std::max(rotation, strain) > std::max(all.rotation, all.strain))
      all = {rotation, strain, system.all_parts().materials.at(id).name};
  }
  return all;
}

template <int dim>
void SmallStrainWatch<dim>::observe(const SolidBody<dim> &system, const Vector &q, const double t, const bool at_once)
{
  constexpr int seldom = 10;
  constexpr double small = 0.1;
  if (told || (asked++ % seldom != 0 && !at_once))
    return;
  const Largest now = largest(system, q);
  if (now.material.empty())
    told = true;  // no such material
  if (told || !(std::max(now.rotation, now.strain) > small))
    return;
  told = true;
  log_warning(fmt::format(
      "material '{}' is geometrically linear, and at t = {:.6g} it rotates by up to {:.3g} rad and strains by up to {:.3g}: beyond {} its forces are wrong, and bodies grow "
      "as they turn. Use {}",
      now.material, t, now.rotation, now.strain, small, law_of_large_rotations(laws[now.material])));
}

template class SmallStrainWatch<2>;
template class SmallStrainWatch<3>;
}  // namespace symdyn
