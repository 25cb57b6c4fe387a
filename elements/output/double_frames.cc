#include "elements/output/double_frames.h"

#include <algorithm>
#include <tuple>

#include "elements/output/nodal_stress.h"
#include "elements/system/cell_stress.h"
#include "solver/base/timer.h"

namespace symdyn
{
namespace
{
constexpr unsigned int width_of_vector = 3, width_of_tensor = 9, fields_of_stress = 3;

/// Tensor, component zz and von Mises stress [Pa].
std::vector<NodeField> stress_fields(const std::string &ending)
{
  return {{"cauchy_stress" + ending, width_of_tensor, {}}, {"cauchy_stress_zz" + ending, 1, {}}, {"von_mises" + ending, 1, {}}};
}

template <int dim>
void append_stress(const dealii::SymmetricTensor<2, 3> &sigma, NodeField *fields)
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      fields[0].values.push_back(i < dim && j < dim ? sigma[i][j] : 0.);
  fields[1].values.push_back(sigma[2][2]);
  fields[2].values.push_back(von_mises(sigma));
}

/// VTK's vectors have three components.
template <int dim, class Component>
void append_vector(const Component &component, NodeField &field)
{
  for (unsigned int d = 0; d < width_of_vector; ++d)
    field.values.push_back(d < dim ? component(d) : 0.);
}
}  // namespace

/// Stress that is continuous inside each material.
template <int dim>
struct DoubleFrames<dim>::Smoothed
{
  Smoothed(const SolidBody<dim> &system, std::string ending, const NodalRule rule) : ending(std::move(ending)), stress(system, rule) {}

  dealii::SymmetricTensor<2, 3> at(const typename Discretisation<dim>::Cell &cell, const dealii::Point<dim> &xi) const
  {
    const auto s = stress.at(cell, xi);
    dealii::SymmetricTensor<2, 3> sigma;
    for (int c = 0; c < 3; ++c)
    {
      sigma[c][c] = s[c];
      sigma[c][(c + 1) % 3] = s[3 + c];
    }
    return sigma;
  }

  const std::string ending;
  NodalStress<dim> stress;
};

template <int dim>
DoubleFrames<dim>::DoubleFrames(const SolidBody<dim> &system, std::vector<std::string> fields) : system(system), wanted(std::move(fields))
{
  for (const auto &[field, name, rule] :
       {std::tuple{"averaged stress", "_averaged", NodalRule::averaged}, {"projected stress", "_projected", NodalRule::projected}})
    if (wants(field))
      smoothed.push_back(std::make_unique<Smoothed>(system, name, rule));
}

template <int dim>
DoubleFrames<dim>::~DoubleFrames() = default;

template <int dim>
bool DoubleFrames<dim>::wants(const std::string &field) const
{
  return std::count(wanted.begin(), wanted.end(), field) > 0;
}

template <int dim>
typename DoubleFrames<dim>::Layout DoubleFrames<dim>::layout(const State &state) const
{
  Layout layout;
  const auto add = [&](const std::vector<NodeField> &more) { layout.fields.insert(layout.fields.end(), more.begin(), more.end()); };
  for (const auto &[name, x] : {std::pair{"displacement", &state.q}, {"velocity", &state.v}, {"acceleration", &state.a}})
    if (wants(name))
    {
      x->update_ghost_values();
      layout.motions.push_back(x);
      add({{name, width_of_vector, {}}});
    }
  if (wants("stress"))
  {
    add(stress_fields(""));
    add({{"strain_energy_density", 1, {}}});
    const RememberedFields remembered(system.all_parts().materials);
    for (const std::string &name : remembered.names())
      add({{name, 1, {}}});
  }
  layout.smoothed = layout.fields.size();
  for (const auto &one : smoothed)
  {
    one->stress.compute(state);
    add(stress_fields(one->ending));
  }
  if (wants("material"))
    add({{"material", 1, {}}});
  return layout;
}

template <int dim>
std::string DoubleFrames<dim>::write(const State &state, const std::string &folder, const std::string &base) const
{
  const ScopedTimer timer("output");
  const Discretisation<dim> &mesh = system.mesh();
  std::vector<VtkCell<dim>> vtk_cells;
  for (const CellRegion<dim> &region : mesh.regions)
    vtk_cells.push_back(region.family.formulation->vtk_cell(*region.family.fe));
  Layout layout = this->layout(state);
  NodeFrame frame{{}, {}, true, state.t, {"Points", width_of_vector, {}}, {}};
  CellStress<dim>(system, [&](const CellRegion<dim> &region) {
    return dealii::Quadrature<dim>(vtk_cells[&region - mesh.regions.data()].points);
  }).visit(state, false, [&](const auto &cell, const auto &nodes, const auto &values, const auto &stress) {
    const VtkCell<dim> &vtk = vtk_cells[cell->active_fe_index()];
    frame.add_cell(vtk.type, vtk.points.size());
    for (unsigned int point = 0; point < stress.size(); ++point)
    {
      append_vector<dim>([&](const int d) { return values.quadrature_point(point)[d]; }, frame.places);
      for (std::size_t k = 0; k < layout.motions.size(); ++k)
        append_vector<dim>(
            [&](const int d) {
              double x = 0;
              for (std::size_t a = 0; a < nodes.size(); ++a)
                x += values.shape_value(a, point) * layout.motions[k]->local_element(dim * nodes[a] + d);
              return x;
            },
            layout.fields[k]);
      if (wants("stress"))
      {
        append_stress<dim>(stress[point].stress, &layout.fields[layout.motions.size()]);
        NodeField *scalar = &layout.fields[layout.motions.size() + fields_of_stress];
        scalar++->values.push_back(stress[point].energy);
        for (const double value : stress[point].remembered)
          scalar++->values.push_back(value);
      }
      for (std::size_t k = 0; k < smoothed.size(); ++k)
        append_stress<dim>(smoothed[k]->at(cell, vtk.points[point]), &layout.fields[layout.smoothed + fields_of_stress * k]);
      if (wants("material"))
        layout.fields.back().values.push_back(cell->material_id());
    }
  });
  frame.fields = std::move(layout.fields);
  return write_node_frame(frame, folder, base, mesh.communicator);
}

template class DoubleFrames<2>;
template class DoubleFrames<3>;
}  // namespace symdyn
