#include "elements/output/locking.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "materials/inelastic.h"
#include "solver/base/log.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

double mean_poisson_ratio(const Material &law)
{
  Symmetric<Wide> C, S;
  for (int m = 0; m < 6; ++m)
    C[m] = m < 3 ? 1. : 0.;
  Tangent<Wide> D;
  law.tangent(C, S, D);
  const auto at = [&](const int m, const int n) { return D(m, n)[0]; };
  const double normal = at(0, 0) + at(1, 1) + at(2, 2), coupling = at(0, 1) + at(0, 2) + at(1, 2), shear = at(3, 3) + at(4, 4) + at(5, 5);
  const double K = (normal + 2. * coupling) / 9., G = (normal - coupling + 3. * shear) / 15.;
  return (3. * K - 2. * G) / (2. * (3. * K + G));
}

namespace
{
/// 1 at the nodes on the surface of the body, with ghosts.
template <int dim>
Vector surface_nodes(const Discretisation<dim> &mesh)
{
  Vector on_surface(mesh.node_partitioner);
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int face : cell->face_indices())
        if (cell->face(face)->at_boundary())
        {
          const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
          for (const unsigned int a : mesh.region_of(cell).nodes_of_face(face))
            on_surface.local_element(nodes[a]) = 1.;
        }
  on_surface.compress(dealii::VectorOperation::add);
  on_surface.update_ghost_values();
  return on_surface;
}

/// Of a face: its area times its outward or inward normal.
template <int dim, class Face>
dealii::Tensor<1, dim> area_of(const Face &face)
{
  if constexpr (dim == 2)
    return dealii::cross_product_2d(face->vertex(1) - face->vertex(0));
  else
  {
    if (face->n_vertices() == 3)
      return 0.5 * dealii::cross_product_3d(face->vertex(1) - face->vertex(0), face->vertex(2) - face->vertex(0));
    return 0.5 * dealii::cross_product_3d(face->vertex(3) - face->vertex(0), face->vertex(2) - face->vertex(1));
  }
}

template <int dim>
double longest_extent(const Discretisation<dim> &mesh)
{
  double longest = 0;
  for (int d = 0; d < dim; ++d)
  {
    double lower = std::numeric_limits<double>::max(), upper = -lower;
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
    {
      lower = std::min(lower, mesh.position[node][d]);
      upper = std::max(upper, mesh.position[node][d]);
    }
    longest = std::max(longest, MPI::max(upper, mesh.communicator) - MPI::min(lower, mesh.communicator));
  }
  return longest;
}
}  // namespace

namespace
{
/// The least distance from a face on the surface to the cell's farthest vertex; 0 without such a face.
template <int dim, class Cell>
double height_of(const Cell &cell)
{
  double least = std::numeric_limits<double>::max();
  for (const unsigned int f : cell->face_indices())
    if (const auto face = cell->face(f); face->at_boundary())
    {
      const dealii::Tensor<1, dim> normal = area_of<dim>(face);
      double height = 0;
      for (const unsigned int v : cell->vertex_indices())
        height = std::max(height, std::abs((cell->vertex(v) - face->center()) * normal) / normal.norm());
      least = std::min(least, height);
    }
  return least == std::numeric_limits<double>::max() ? 0. : least;
}
}  // namespace

template <int dim>
OneLayer one_layer(const Discretisation<dim> &mesh)
{
  const Vector on_surface = surface_nodes(mesh);
  constexpr double most = 0.9;  // of the cells: bosses and gussets may be thicker
  std::uint64_t thin = 0;
  double sum = 0, volume = 0;
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned())
      continue;
    bool inside = false;
    for (const unsigned int node : mesh.cell_nodes(cell))
      inside = inside || on_surface.local_element(node) == 0.;
    if (inside)
      continue;
    ++thin;
    if (const double height = height_of<dim>(cell); height > 0.)
    {
      sum += cell->measure() * height;
      volume += cell->measure();
    }
  }
  volume = MPI::sum(volume, mesh.communicator);
  if (double(MPI::sum(thin, mesh.communicator)) < most * double(mesh.n_cells()) || volume == 0.)
    return {};
  return {MPI::sum(sum, mesh.communicator) / volume, longest_extent(mesh)};
}

template <int dim>
void warn_of_locking(const Discretisation<dim> &mesh, const std::map<unsigned int, MaterialInUse> &materials)
{
  std::optional<LockingAdvice> advice;
  for (const CellRegion<dim> &region : mesh.regions)
    if (!advice)
      advice = region.family.formulation->locks(mesh.degree());
  if (!advice)
    return;
  constexpr double nearly_incompressible = 0.48, slender = 10.;
  for (const auto &[id, use] : materials)
    if (const InelasticMaterial *law = inelastic(*use.law); law && law->flows() && !law->plane_stress())
      log_warning(fmt::format(
          "material '{}' flows at constant volume: cells of Order = 1 and Element = standard lock where it does. Use {}Order = 2", use.name,
          advice->in_volume));
    else if (const double nu = mean_poisson_ratio(*use.law); nu > nearly_incompressible && !use.law->plane_stress())
      log_warning(fmt::format(
          "material '{}' is nearly incompressible (nu = {:.5g}): cells of Order = 1 and Element = standard lock, several times too stiff at nu = 0.4999. Use {}Order = 2",
          use.name, nu, advice->in_volume));
  if (const OneLayer layer = one_layer(mesh); layer.thickness > 0. && layer.length >= (1. - 1e-9) * slender * layer.thickness)
    log_warning(fmt::format(
        "the body is one layer of cells thick ({:.4g} of {:.4g} m): with Order = 1 and Element = standard it is several times too stiff in bending. Use {}Order = 2, or "
        "more layers",
        layer.thickness, layer.length, advice->in_bending));
}

template OneLayer one_layer(const Discretisation<2> &);
template OneLayer one_layer(const Discretisation<3> &);
template void warn_of_locking(const Discretisation<2> &, const std::map<unsigned int, MaterialInUse> &);
template void warn_of_locking(const Discretisation<3> &, const std::map<unsigned int, MaterialInUse> &);
}  // namespace symdyn
