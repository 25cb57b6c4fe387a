#include "elements/output/field_output.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <tuple>

#include "elements/files/vtu_files.h"
#include "elements/output/cell_files.h"
#include "elements/output/nodal_stress.h"
#include "elements/output/quadrature_output.h"
#include "elements/system/cell_stress.h"
#include "solver/base/timer.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// action(cell, number of the node in it, local node) of the owned cells.
template <int dim, class Action>
void for_each_node(const Discretisation<dim> &mesh, const Action &action)
{
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
      for (unsigned int a = 0; a < nodes.size(); ++a)
        action(cell, a, nodes[a]);
    }
}

/// The cell of the mesh that deal.II's output is at.
template <int dim>
typename Discretisation<dim>::Cell cell_of(const Discretisation<dim> &mesh, const dealii::DataPostprocessorInputs::Vector<dim> &inputs)
{
  const auto cell = inputs.template get_cell<dim>();
  return {mesh.triangulation.get(), cell->level(), cell->index(), &mesh.handler};
}

/// By index of the active cell.
template <int dim>
dealii::Vector<float> materials_of_cells(const dealii::DoFHandler<dim> &handler)
{
  dealii::Vector<float> materials(handler.get_triangulation().n_active_cells());
  for (const auto &cell : handler.active_cell_iterators())
    materials(cell->active_cell_index()) = cell->material_id();
  return materials;
}

template <int dim>
dealii::DataOutBase::VtkFlags flags_of_frame(const Discretisation<dim> &mesh, const double t)
{
  dealii::DataOutBase::VtkFlags flags;
  flags.time = t;
  flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
  flags.write_higher_order_cells = mesh.regions.front().family.formulation->library(mesh.degree()).higher_order;
  return flags;
}
}  // namespace

/// A stress as VTK wants it: the tensor of the plane or of space, its component zz, von Mises; `more` scalars behind them. `ending` of the
/// names.
template <int dim>
class FieldOutput<dim>::StressFields : public dealii::DataPostprocessor<dim>
{
public:
  std::vector<std::string> get_names() const override
  {
    std::vector<std::string> names(dim * dim, "cauchy_stress" + ending);
    names.push_back("cauchy_stress_zz" + ending);
    names.push_back("von_mises" + ending);
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }

  std::vector<dealii::DataComponentInterpretation::DataComponentInterpretation> get_data_component_interpretation() const override
  {
    using namespace dealii::DataComponentInterpretation;
    std::vector<DataComponentInterpretation> kinds(dim * dim, component_is_part_of_tensor);
    kinds.insert(kinds.end(), 2 + more.size(), component_is_scalar);
    return kinds;
  }

  /// The same for files by cells, still without values; and the values of one more node.
  std::vector<NodeField> node_fields() const
  {
    std::vector<NodeField> fields{
        {"cauchy_stress" + ending, dim * dim, {}}, {"cauchy_stress_zz" + ending, 1, {}}, {"von_mises" + ending, 1, {}}};
    for (const std::string &name : more)
      fields.push_back({name, 1, {}});
    return fields;
  }
  static void append(const dealii::Vector<double> &computed, std::vector<NodeField> &fields)
  {
    unsigned int i = 0;
    for (NodeField &field : fields)
      for (unsigned int c = 0; c < field.width; ++c)
        field.values.push_back(computed(i++));
  }

protected:
  StressFields(std::string ending, std::vector<std::string> more) : ending(std::move(ending)), more(std::move(more)) {}

  static void put(const dealii::SymmetricTensor<2, 3> &sigma, dealii::Vector<double> &computed)
  {
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        computed(i * dim + j) = sigma[i][j];
    computed(dim * dim) = sigma[2][2];
    computed(dim * dim + 1) = von_mises(sigma);
  }

private:
  const std::string ending;
  const std::vector<std::string> more;
};

/// Cauchy stress σ = F S Fᵀ / det F, von Mises stress and strain energy density from the displacement gradient.
template <int dim>
class FieldOutput<dim>::Stress : public StressFields
{
public:
  explicit Stress(const SolidBody<dim> &system)
      : StressFields("", scalars(system)), system(system), at_nodes(system, [&system](const CellRegion<dim> &region) {
          return region.shape().is_hyper_cube()  // in the library's order
                     ? dealii::Quadrature<dim>(dealii::QIterated<dim>(dealii::QTrapezoid<1>(), system.mesh().degree()))
                     : dealii::Quadrature<dim>(region.family.fe->get_unit_support_points());
        })
  {
  }

  /// Elements of their own energy exist in degree 1, where the points are the vertices.
  void evaluate_vector_field(const dealii::DataPostprocessorInputs::Vector<dim> &inputs,
                             std::vector<dealii::Vector<double>> &computed) const override
  {
    std::vector<dealii::Tensor<2, 3>> F(computed.size(), dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()));
    std::vector<Wide> X, u;
    for (std::size_t point = 0; point < computed.size(); ++point)
      for (int i = 0; i < dim; ++i)
      {
        X.emplace_back(inputs.evaluation_points[point][i]);
        u.emplace_back(inputs.solution_values[point](i));
        for (int J = 0; J < dim; ++J)
          F[point][i][J] += inputs.solution_gradients[point][i][J];
      }
    const std::vector<PointStress> stress = at_nodes.at(cell_of(system.mesh(), inputs), F, X, u, *state);
    for (std::size_t point = 0; point < computed.size(); ++point)
      at(stress[point], computed[point]);
  }

  std::vector<NodeField> at_nodes_of_cells(const State &of) const
  {
    std::vector<NodeField> fields = this->node_fields();
    dealii::Vector<double> computed(this->get_names().size());
    at_nodes.visit(of, false, [&](const auto &, const auto &, const auto &, const std::vector<PointStress> &points) {
      for (const PointStress &point : points)
      {
        at(point, computed);
        StressFields::append(computed, fields);
      }
    });
    return fields;
  }

  static void at(const PointStress &point, dealii::Vector<double> &computed)
  {
    StressFields::put(point.stress, computed);
    unsigned int i = dim * dim + 2;
    computed(i++) = point.energy;
    for (const double value : point.remembered)
      computed(i++) = value;
  }

  dealii::UpdateFlags get_needed_update_flags() const override
  {
    return dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points;
  }

  const State *state = nullptr;  ///< that the library evaluates

private:
  static std::vector<std::string> scalars(const SolidBody<dim> &system)
  {
    std::vector<std::string> names = RememberedFields(system.all_parts().materials).names();
    names.insert(names.begin(), "strain_energy_density");
    return names;
  }

  const SolidBody<dim> &system;
  CellStress<dim> at_nodes;
};

/// Stress that is continuous inside each material, and its von Mises stress.
template <int dim>
class FieldOutput<dim>::Smoothed : public StressFields
{
public:
  Smoothed(const SolidBody<dim> &system, const std::string &name, const NodalRule rule)
      : StressFields("_" + name, {}), nodal(system, rule), system(system)
  {
  }
  void compute(const State &state) { nodal.compute(state); }

  void evaluate_vector_field(const dealii::DataPostprocessorInputs::Vector<dim> &inputs,
                             std::vector<dealii::Vector<double>> &computed) const override
  {
    const auto cell = cell_of(system.mesh(), inputs);
    for (std::size_t point = 0; point < computed.size(); ++point)
      at(cell, system.mesh().region_of(cell).mapping->transform_real_to_unit_cell(cell, inputs.evaluation_points[point]), computed[point]);
  }

  std::vector<NodeField> at_nodes_of_cells() const
  {
    std::vector<NodeField> fields = this->node_fields();
    dealii::Vector<double> computed(this->get_names().size());
    for_each_node(system.mesh(), [&](const auto &cell, const unsigned int a, unsigned int) {
      at(cell, system.mesh().region_of(cell).family.fe->get_unit_support_points()[a], computed);
      StressFields::append(computed, fields);
    });
    return fields;
  }

  void at(const typename Discretisation<dim>::Cell &cell, const dealii::Point<dim> &xi, dealii::Vector<double> &computed) const
  {
    const auto s = nodal.at(cell, xi);
    dealii::SymmetricTensor<2, 3> sigma;
    for (int c = 0; c < 3; ++c)
      sigma[c][c] = s[c];
    sigma[0][1] = s[3];
    sigma[1][2] = s[4];
    sigma[0][2] = s[5];
    StressFields::put(sigma, computed);
  }

  dealii::UpdateFlags get_needed_update_flags() const override { return dealii::update_values | dealii::update_quadrature_points; }

private:
  NodalStress<dim> nodal;
  const SolidBody<dim> &system;
};

template <int dim>
FieldOutput<dim>::FieldOutput(const SolidBody<dim> &system, std::vector<std::string> fields, const bool is_double)
    : system(system),
      wanted(std::move(fields)),
      fe(std::make_unique<dealii::FESystem<dim>>(*system.mesh().regions.front().family.fe, dim)),
      stress(std::make_unique<Stress>(system))
{
  const Discretisation<dim> &mesh = system.mesh();
  if (is_double)
  {
    doubles = std::make_unique<DoubleFrames<dim>>(system, wanted);
    return;
  }
  for (const auto &[field, name, rule] :
       {std::tuple{"averaged stress", "averaged", NodalRule::averaged}, {"projected stress", "projected", NodalRule::projected}})
    if (std::count(wanted.begin(), wanted.end(), field) > 0)
      smoothed.push_back(std::make_unique<Smoothed>(system, name, rule));
  if (!library_writes(mesh))
    return;
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

template <int dim>
bool FieldOutput<dim>::wants(const std::string &field) const
{
  return std::count(wanted.begin(), wanted.end(), field) > 0;
}

template <int dim>
std::string FieldOutput<dim>::write_by_cells(const State &state, const std::string &folder, const std::string &base) const
{
  const Discretisation<dim> &mesh = system.mesh();
  std::vector<NodeField> fields;
  const auto add = [&](const std::vector<NodeField> &more) { fields.insert(fields.end(), more.begin(), more.end()); };
  for (const auto &[name, x] : {std::pair{"displacement", &state.q}, {"velocity", &state.v}, {"acceleration", &state.a}})
    if (wants(name))
    {
      x->update_ghost_values();
      fields.push_back({name, dim, {}});
      for_each_node(mesh, [&, x = x](const auto &, unsigned int, const unsigned int node) {
        for (int d = 0; d < dim; ++d)
          fields.back().values.push_back(x->local_element(dim * node + d));
      });
    }
  if (wants("stress"))
    add(stress->at_nodes_of_cells(state));
  for (const auto &one : smoothed)
  {
    one->compute(state);
    add(one->at_nodes_of_cells());
  }
  if (wants("material"))
  {
    fields.push_back({"material", 1, {}});
    for_each_node(mesh, [&](const auto &cell, unsigned int, unsigned int) { fields.back().values.push_back(cell->material_id()); });
  }
  return write_cell_files(mesh, fields, state.t, folder, base);
}

template <int dim>
std::string FieldOutput<dim>::write_fields(const State &state, const std::string &folder, const std::string &base) const
{
  if (doubles)
    return doubles->write(state, folder, base);
  const ScopedTimer timer("output");
  if (!library_writes(system.mesh()))
    return write_by_cells(state, folder, base);
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
    stress->state = &state;
    values.push_back(to_output_numbering(state.q));
    out.add_data_vector(values.back(), *stress);
  }
  for (const auto &one : smoothed)
  {
    one->compute(state);
    values.push_back(to_output_numbering(state.q));
    out.add_data_vector(values.back(), *one);
  }
  const dealii::Vector<float> material = materials_of_cells(handler);
  if (wants("material"))
    out.add_data_vector(material, "material", dealii::DataOut<dim>::type_cell_data);

  const CellRegion<dim> &region = system.mesh().regions.front();
  out.set_flags(flags_of_frame(system.mesh(), state.t));
  out.build_patches(*region.mapping, system.mesh().degree(),
                    region.family.curved ? dealii::DataOut<dim>::curved_inner_cells : dealii::DataOut<dim>::curved_boundary);

  return write_vtu_files(out, folder, base, system.mesh().communicator);
}

template <int dim>
std::vector<std::string> FieldOutput<dim>::write(const State &state, const std::string &folder, const unsigned int number) const
{
  std::vector<std::string> files{write_fields(state, folder, fmt::format("solution-{:05d}", number))};
  if (std::count(wanted.begin(), wanted.end(), "quadrature stress"))
    for (const std::string &file : write_quadrature_points(system, state, folder, number))
      files.push_back(file);
  return files;
}

template class FieldOutput<2>;
template class FieldOutput<3>;
}  // namespace symdyn
