#include "elements/field_output.h"

#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <list>

#include "solver/error.h"
#include "solver/phase.h"
#include "solver/together.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

/// Cauchy stress σ = F S Fᵀ / det F, von Mises stress and strain energy density from the displacement gradient.
template <int dim>
class FieldOutput<dim>::Stress : public dealii::DataPostprocessor<dim>
{
public:
  explicit Stress(const FiniteElementSystem<dim> &system) : system(system) {}

  void evaluate_vector_field(const dealii::DataPostprocessorInputs::Vector<dim> &inputs,
                             std::vector<dealii::Vector<double>> &computed) const override
  {
    const Material &material = system.material(inputs.template get_cell<dim>()->material_id());
    const std::vector<Matrix<3>> F = deformation(inputs, material);
    for (std::size_t point = 0; point < computed.size(); ++point)
      evaluate(F[point], material, computed[point]);
  }

  std::vector<std::string> get_names() const override
  {
    std::vector<std::string> names(dim * dim, "cauchy_stress");
    names.push_back("cauchy_stress_zz");
    names.push_back("von_mises");
    names.push_back("strain_energy_density");
    return names;
  }

  std::vector<dealii::DataComponentInterpretation::DataComponentInterpretation> get_data_component_interpretation() const override
  {
    using namespace dealii::DataComponentInterpretation;
    std::vector<DataComponentInterpretation> kinds(dim * dim, component_is_part_of_tensor);
    kinds.insert(kinds.end(), 3, component_is_scalar);
    return kinds;
  }

  dealii::UpdateFlags get_needed_update_flags() const override { return dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points; }

private:
  /// F at the points. Elements of their own energy exist in degree 1, where the points are the vertices.
  std::vector<Matrix<3>> deformation(const dealii::DataPostprocessorInputs::Vector<dim> &inputs, const Material &material) const
  {
    const std::size_t points = inputs.solution_gradients.size();
    std::vector<Matrix<3>> F(points);
    std::vector<Wide> X, u;
    for (std::size_t point = 0; point < points; ++point)
      for (int i = 0; i < 3; ++i)
      {
        for (int J = 0; J < 3; ++J)
          F[point][i][J] = (i == J ? 1. : 0.) + (i < dim && J < dim ? inputs.solution_gradients[point][i][J] : 0.);
        if (i < dim)
        {
          X.emplace_back(inputs.evaluation_points[point][i]);
          u.emplace_back(inputs.solution_values[point](i));
        }
      }
    system.mesh().kernels->what_the_law_sees(X.data(), u.data(), material, F.data());
    return F;
  }

  static void evaluate(const Matrix<3> &deformation, const Material &material, dealii::Vector<double> &out)
  {
    double F[3][3], sigma[3][3];
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
        F[i][J] = deformation[i][J][0];
    Symmetric<Wide> C;
    for (int I = 0; I < 3; ++I)
      for (int J = I; J < 3; ++J)
      {
        double c = 0;
        for (int i = 0; i < 3; ++i)
          c += F[i][I] * F[i][J];
        C(I, J) = material.small_strain() ? F[I][J] + F[J][I] - (I == J ? 1. : 0.) : c;
      }
    const Symmetric<Wide> S = material.stress(C);
    F[2][2] = std::sqrt(material.thickness_stretch_squared(C)[0]);
    const double J = F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) - F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
                     F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
      {
        sigma[i][j] = material.small_strain() ? S(i, j)[0] : 0.;
        for (int I = 0; I < 3 && !material.small_strain(); ++I)
          for (int K = 0; K < 3; ++K)
            sigma[i][j] += F[i][I] * S(I, K)[0] * F[j][K] / J;
      }
    const double mean = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3.;
    double deviator = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        deviator += std::pow(sigma[i][j] - (i == j ? mean : 0.), 2);
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        out(i * dim + j) = sigma[i][j];
    out(dim * dim) = sigma[2][2];
    out(dim * dim + 1) = std::sqrt(1.5 * deviator);
    out(dim * dim + 2) = material.psi(C)[0];
  }

  const FiniteElementSystem<dim> &system;
};

template <int dim>
FieldOutput<dim>::FieldOutput(const FiniteElementSystem<dim> &system, std::vector<std::string> fields)
    : system(system), wanted(std::move(fields)), fe(std::make_unique<dealii::FESystem<dim>>(*system.mesh().family.fe, dim)), stress(std::make_unique<Stress>(system))
{
  const Discretisation<dim> &mesh = system.mesh();
  handler.reinit(*mesh.triangulation);
  handler.distribute_dofs(*fe);
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(handler, relevant);
  partitioner = std::make_shared<MPI::Partitioner>(handler.locally_owned_dofs(), relevant, mesh.communicator);
  source.assign(partitioner->locally_owned_size() + partitioner->n_ghost_indices(), -1);
  std::vector<dealii::types::global_dof_index> dofs(fe->n_dofs_per_cell());
  auto node_cell = mesh.handler.begin_active();
  for (const auto &cell : handler.active_cell_iterators())
  {
    if (!cell->is_artificial())
    {
      cell->get_dof_indices(dofs);
      const auto nodes = mesh.cell_nodes(node_cell);
      for (unsigned int i = 0; i < dofs.size(); ++i)
      {
        const auto [component, node] = fe->system_to_component_index(i);
        source[partitioner->global_to_local(dofs[i])] = dim * nodes[node] + component;
      }
    }
    ++node_cell;
  }
}

template <int dim>
FieldOutput<dim>::~FieldOutput() = default;

template <int dim>
Vector FieldOutput<dim>::to_output_numbering(const Vector &x) const
{
  x.update_ghost_values();
  Vector y(partitioner);
  for (std::size_t i = 0; i < source.size(); ++i)
    y.local_element(i) = source[i] < 0 ? 0. : x.local_element(source[i]);
  y.update_ghost_values();
  return y;
}

namespace
{
/// "" or why the file could not be written.
std::string write_file(const std::string &name, const std::function<void(std::ostream &)> &write)
{
  std::ofstream file(name);
  try
  {
    if (file)
      write(file);
  }
  catch (const dealii::ExceptionBase &)
  {
    file.setstate(std::ios::badbit);  // deal.II saw the stream fail before we did
  }
  file.close();
  return file ? "" : name + ": could not be written (is the disk full?). The frames before it are complete";
}
}  // namespace

template <int dim>
std::string FieldOutput<dim>::write(const State &state, const std::string &folder, const unsigned int number) const
{
  const Phase phase("output");
  const auto wants = [this](const std::string &field) { return std::count(wanted.begin(), wanted.end(), field) > 0; };
  const std::vector<dealii::DataComponentInterpretation::DataComponentInterpretation> vector(
      dim, dealii::DataComponentInterpretation::component_is_part_of_vector);
  dealii::DataOut<dim> out;
  out.attach_dof_handler(handler);
  std::list<Vector> values;  // `out` keeps pointers to them
  for (const auto &[name, x] : {std::pair{"displacement", &state.q}, {"velocity", &state.v}, {"acceleration", &state.a}})
    if (wants(name))
    {
      values.push_back(to_output_numbering(*x));
      out.add_data_vector(values.back(), std::vector<std::string>(dim, name), dealii::DataOut<dim>::type_dof_data, vector);
    }
  if (wants("stress"))
  {
    values.push_back(to_output_numbering(state.q));
    out.add_data_vector(values.back(), *stress);
  }
  dealii::Vector<float> material(system.mesh().triangulation->n_active_cells());
  for (const auto &cell : handler.active_cell_iterators())
    material(cell->active_cell_index()) = cell->material_id();
  if (wants("material"))
    out.add_data_vector(material, "material", dealii::DataOut<dim>::type_cell_data);

  const int degree = system.mesh().family.fe->degree;
  dealii::DataOutBase::VtkFlags flags;
  flags.time = state.t;
  flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
  // Simplices of degree 2 become quadratic cells by themselves; with this flag deal.II 9.4 writes them wrong.
  flags.write_higher_order_cells = degree > 1 && !system.mesh().family.simplex;
  out.set_flags(flags);
  out.build_patches(*system.mesh().mapping, degree,
                    system.mesh().family.curved ? dealii::DataOut<dim>::curved_inner_cells : dealii::DataOut<dim>::curved_boundary);

  const std::string base = fmt::format("solution-{:05d}", number);
  if (MPI::n_mpi_processes(system.mesh().communicator) > 1)
  {
    const unsigned int me = MPI::this_mpi_process(system.mesh().communicator), ranks = MPI::n_mpi_processes(system.mesh().communicator);
    const auto piece = [&](const unsigned int rank) { return fmt::format("{}.{}.vtu", base, rank); };
    std::string fault = write_file(folder + "/" + piece(me), [&](std::ostream &file) { out.write_vtu(file); });
    std::vector<std::string> pieces;
    for (unsigned int rank = 0; rank < ranks; ++rank)
      pieces.push_back(piece(rank));
    if (me == 0 && fault.empty())
      fault = write_file(folder + "/" + base + ".pvtu", [&](std::ostream &file) { out.write_pvtu_record(file, pieces); });
    throw_together<ComputationError>(fault, system.mesh().communicator);
    return base + ".pvtu";
  }
  throw_together<ComputationError>(write_file(folder + "/" + base + ".vtu", [&](std::ostream &file) { out.write_vtu(file); }),
                                   system.mesh().communicator);
  return base + ".vtu";
}

template class FieldOutput<2>;
template class FieldOutput<3>;
}  // namespace symdyn
