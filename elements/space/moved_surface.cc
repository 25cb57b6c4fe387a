#include "elements/space/moved_surface.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "elements/cells/reference_face.h"
#include "elements/space/gathered_faces.h"
#include "elements/space/named_nodes.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
template <int dim>
class ShapeOnFace : public FaceShape
{
public:
  ShapeOnFace(const CellRegion<dim> &region, const unsigned int face) : fe(*region.family.fe), on_face(region.nodes_of_face(face))
  {
    const dealii::ReferenceCell cell = region.shape();
    corners = int(cell.face_reference_cell(face).n_vertices());
    degree = int(fe.degree);
    origin = cell.template vertex<dim>(cell.face_to_cell_vertices(face, 0, 1));
    for (int i = 0; i < dim - 1; ++i)
      axis[i] = cell.template vertex<dim>(cell.face_to_cell_vertices(face, i + 1, 1)) - origin;
    for (const unsigned int a : on_face)
      nodes.push_back(place(fe.get_unit_support_points()[a]));
    find_coefficients();
  }

  void evaluate(const FacePlace &s, double *N, FacePlace *dN) const override
  {
    const Powers a(2. * s[0] - 1., degree), b(2. * s[1] - 1., degree);
    for (std::size_t k = 0; k < on_face.size(); ++k)
    {
      const double *c = &coefficients[k * powers.size()];
      double sum = 0, along = 0, across = 0;
      for (std::size_t m = 0; m < powers.size(); ++m)
      {
        const auto &[i, j] = powers[m];
        sum += c[m] * a.value[i] * b.value[j];
        along += c[m] * a.slope[i] * b.value[j];
        across += c[m] * a.value[i] * b.slope[j];
      }
      N[k] = sum;
      if (dN)
        dN[k] = {2. * along, 2. * across};
    }
  }

private:
  static constexpr int most = 9;  ///< powers
  struct Powers
  {
    Powers(const double s, const int degree)
    {
      for (int i = 1; i <= degree; ++i)
      {
        value[i] = value[i - 1] * s;
        slope[i] = i * value[i - 1];
      }
    }
    std::array<double, most> value{1.}, slope{};
  };

  /// On a face the functions of an element are polynomials in 2 s - 1, whose values at as many places give them. deal.II evaluates those
  /// of the whole cell.
  void find_coefficients()
  {
    AssertThrow(degree < most, dealii::ExcNotImplemented());
    const bool is_triangle = corners == 3;
    std::vector<FacePlace> places;
    const auto along = [this](const int i) { return double(i) / degree; };
    for (int j = 0; j <= (dim == 3 ? degree : 0); ++j)
      for (int i = 0; i <= degree - (is_triangle ? j : 0); ++i)
      {
        powers.emplace_back(i, j);
        places.push_back({along(i), along(j)});
      }
    dealii::FullMatrix<double> V(powers.size(), powers.size());
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t m = 0; m < powers.size(); ++m)
        V(p, m) = std::pow(2. * places[p][0] - 1., powers[m].first) * std::pow(2. * places[p][1] - 1., powers[m].second);
    dealii::FullMatrix<double> inverse = V;
    inverse.gauss_jordan();
    for (const unsigned int node : on_face)
    {
      dealii::Vector<double> values(places.size()), found(places.size()), rest(places.size()), more(places.size());
      for (std::size_t p = 0; p < places.size(); ++p)
      {
        dealii::Point<dim> xi = origin;
        for (int i = 0; i < dim - 1; ++i)
          xi += places[p][i] * axis[i];
        values(p) = fe.shape_value(node, xi);
      }
      inverse.vmult(found, values);
      for (int refinement = 0; refinement < 2; ++refinement)
      {
        V.residual(rest, found, values);
        inverse.vmult(more, rest);
        found += more;
      }
      coefficients.insert(coefficients.end(), found.begin(), found.end());
    }
  }
  /// s of a point on the face: xi - origin = s_i axis_i, axes that need not be orthogonal.
  FacePlace place(const dealii::Point<dim> &xi) const
  {
    const dealii::Tensor<1, dim> x = xi - origin;
    if constexpr (dim == 2)
      return {x * axis[0] / axis[0].norm_square(), 0.};
    else
    {
      const double a = axis[0].norm_square(), b = axis[0] * axis[1], c = axis[1].norm_square(), D = a * c - b * b;
      const double p = x * axis[0], q = x * axis[1];
      return {(c * p - b * q) / D, (a * q - b * p) / D};
    }
  }

  const dealii::FiniteElement<dim> &fe;
  const std::vector<unsigned int> &on_face;
  dealii::Point<dim> origin;
  dealii::Tensor<1, dim> axis[dim - 1];
  std::vector<std::pair<int, int>> powers;  ///< of s_0 and s_1
  std::vector<double> coefficients;         ///< [node][power]
};
}  // namespace

template <int dim>
MovedSurface<dim>::MovedSurface(Discretisation<dim> &mesh) : mesh(mesh)
{
}

template <int dim>
MovedSurface<dim>::~MovedSurface() = default;

template <int dim>
const FaceShape *MovedSurface<dim>::shape_of(const unsigned int region, const unsigned int face) const
{
  std::unique_ptr<FaceShape> &shape = shapes[{region, face}];
  if (!shape)
    shape = std::make_unique<ShapeOnFace<dim>>(mesh.regions[region], face);
  return shape.get();
}

template <int dim>
std::vector<SurfaceFace> MovedSurface<dim>::faces(const std::vector<std::string> &boundaries) const
{
  std::vector<SurfaceFace> faces;
  for (const GatheredFace &one : gather_faces(mesh, boundaries))
  {
    const CellRegion<dim> &region = mesh.regions[one.region];
    SurfaceFace face;
    face.shape = shape_of(one.region, one.face);
    face.outward = ReferenceFace<dim>(region.shape(), one.face).outward;
    for (const unsigned int a : region.nodes_of_face(one.face))
    {
      face.nodes.push_back(one.nodes[a]);
      face.X.push_back(one.X[a]);
    }
    faces.push_back(std::move(face));
  }
  std::sort(faces.begin(), faces.end(), [](const SurfaceFace &a, const SurfaceFace &b) { return a.X < b.X; });
  return faces;
}

template <int dim>
std::vector<std::int64_t> MovedSurface<dim>::named(const std::string &set) const
{
  std::vector<std::int64_t> mine, all;
  for (const unsigned int local : NamedNodes<dim>(mesh).local({set}))
    mine.push_back(std::int64_t(mesh.node_partitioner->local_to_global(local)));
  for (const auto &of_rank : MPI::all_gather(mesh.communicator, mine))
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <int dim>
void MovedSurface<dim>::move(const std::vector<std::pair<std::int64_t, Place>> &nodes)
{
  Moves moves;
  for (const auto &[number, place] : nodes)
    if (mesh.node_partitioner->in_local_range(number) || mesh.node_partitioner->is_ghost_entry(number))
    {
      const unsigned int local = mesh.node_partitioner->global_to_local(number);
      for (int d = 0; d < dim; ++d)
        moves[local][d] = place[d] - mesh.position[local][d];
    }
  if (mesh.position_in_file.empty())
    mesh.position_in_file = mesh.position;
  for (const auto &[local, move] : with_followers(moves))
    mesh.position[local] += move;
}

/// The other nodes of a cell move with its vertices.
template <int dim>
typename MovedSurface<dim>::Moves MovedSurface<dim>::with_followers(const Moves &given) const
{
  Moves moves = given;
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (cell->is_artificial() || mesh.degree() == 1)
      continue;
    const auto local = mesh.cell_nodes(cell);
    const CellRegion<dim> &region = mesh.region_of(cell);
    for (unsigned int a = 0; a < local.size(); ++a)
    {
      if (given.count(local[a]) > 0)
        continue;
      dealii::Tensor<1, dim> move;
      for (const unsigned int v : cell->vertex_indices())  // the first nodes
        if (const auto moved = given.find(local[v]); moved != given.end())
          move += region.shape().d_linear_shape_function(region.family.fe->get_unit_support_points()[a], v) * moved->second;
      if (move.norm_square() > 0.)
        moves[local[a]] = move;
    }
  }
  return moves;
}

template class MovedSurface<2>;
template class MovedSurface<3>;
}  // namespace symdyn
