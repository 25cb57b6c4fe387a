#include "elements/output/quadrature_output.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/files/vtu_files.h"
#include "solver/base/timer.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

/// Values at points, `width` a point.
struct PointField
{
  std::string name;
  int width;
  std::vector<double> values;
};

namespace
{
void write_point_array(std::ostream &out, const PointField &field)
{
  out << fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n", field.name, field.width);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    out << fmt::format("{}", field.values[i]) << ((i + 1) % field.width == 0 ? '\n' : ' ');
  out << "</DataArray>\n";
}

void write_vertices(std::ostream &out, const double time, const PointField &places, const std::vector<PointField> &fields)
{
  const std::size_t n = places.values.size() / places.width;
  constexpr int vertex = 1;  // VTK_VERTEX
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n";
  out << fmt::format(
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TIME\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n</FieldData>\n", time);
  out << fmt::format("<Piece NumberOfPoints=\"{0}\" NumberOfCells=\"{0}\">\n<Points>\n", n);
  write_point_array(out, places);
  out << "</Points>\n<Cells>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < n; ++i)
    out << i << '\n';
  out << "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n";
  for (std::size_t i = 1; i <= n; ++i)
    out << i << '\n';
  out << "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n";
  for (std::size_t i = 0; i < n; ++i)
    out << vertex << '\n';
  out << "</DataArray>\n</Cells>\n<PointData>\n";
  for (const PointField &field : fields)
    write_point_array(out, field);
  out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}
}  // namespace

template <int dim>
std::vector<std::string> write_quadrature_points(const SolidBody<dim> &system, const State &state, const std::string &folder,
                                                 const unsigned int number)
{
  const ScopedTimer timer("output");
  const Discretisation<dim> &mesh = system.mesh();
  PointField places{"Points", 3, {}};
  std::vector<PointField> fields{
      {"displacement", 3, {}}, {"cauchy_stress", 9, {}}, {"von_mises", 1, {}}, {"strain_energy_density", 1, {}}, {"weight", 1, {}}};
  const CellStress<dim> cells(system, [](const CellRegion<dim> &region) { return region.family.stiffness_points; });
  for (const std::string &name : cells.remembered())
    fields.push_back({name, 1, {}});
  cells.visit(state, false, [&](const auto &, const auto &nodes, const auto &values, const auto &stress) {
    for (std::size_t point = 0; point < stress.size(); ++point)
    {
      for (int d = 0; d < 3; ++d)
      {
        double u = 0;
        for (std::size_t a = 0; a < nodes.size() && d < dim; ++a)
          u += values.shape_value(a, point) * state.q.local_element(dim * nodes[a] + d);
        fields[0].values.push_back(u);
        places.values.push_back(d < dim ? values.quadrature_point(point)[d] : 0.);
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          fields[1].values.push_back(stress[point].stress[i][j]);
      fields[2].values.push_back(von_mises(stress[point].stress));
      fields[3].values.push_back(stress[point].energy);
      fields[4].values.push_back(values.JxW(point));
      for (std::size_t k = 0; k < stress[point].remembered.size(); ++k)
        fields[5 + k].values.push_back(stress[point].remembered[k]);
    }
  });
  const unsigned int me = MPI::this_mpi_process(mesh.communicator), ranks = MPI::n_mpi_processes(mesh.communicator);
  std::vector<std::string> names;
  for (unsigned int rank = 0; rank < ranks; ++rank)
    names.push_back(ranks == 1 ? fmt::format("quadrature-{:05d}.vtu", number) : fmt::format("quadrature-{:05d}.{}.vtu", number, rank));
  throw_collectively<ComputationError>(
      write_file(folder + "/" + names[me], [&](std::ostream &out) { write_vertices(out, state.t, places, fields); }), mesh.communicator);
  return names;
}

template std::vector<std::string> write_quadrature_points(const SolidBody<2> &, const State &, const std::string &, unsigned int);
template std::vector<std::string> write_quadrature_points(const SolidBody<3> &, const State &, const std::string &, unsigned int);
}  // namespace symdyn
