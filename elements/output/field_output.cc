#include "elements/output/field_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "elements/output/nodal_stress.h"
#include "elements/output/quadrature_output.h"
#include "elements/output/tensor_fields.h"
#include "solver/base/timer.h"

namespace symdyn
{
namespace
{
constexpr unsigned int width_of_tensor = 9;

template <int dim>
dealii::Quadrature<dim> nodes_of(const CellRegion<dim> &region)
{
  return dealii::Quadrature<dim>(region.family.fe->get_unit_support_points());
}

/// Row by row; beyond the first `dimension` axes 0.
NodeField tensors(const NodeField &of, const std::string &name, const int dimension)
{
  NodeField field{name, width_of_tensor, {}};
  for_each_tensor(of, [&](const auto &tensor) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        field.values.push_back(std::max(i, j) < dimension ? tensor[i][j] : 0.);
  });
  return field;
}

/// Of a stress: the tensor of the plane or of space, its component zz, von Mises.
void add_stress(const NodeField &sigma, const std::string &ending, const int dimension, std::vector<NodeField> &fields)
{
  NodeField zz{"cauchy_stress_zz" + ending, 1, {}}, mises{"von_mises" + ending, 1, {}};
  for_each_tensor(sigma, [&](const auto &tensor) {
    zz.values.push_back(tensor[2][2]);
    mises.values.push_back(von_mises(tensor));
  });
  for (const NodeField &field : {tensors(sigma, "cauchy_stress" + ending, dimension), zz, mises})
    fields.push_back(field);
}

/// Largest first.
NodeField principal(const NodeField &sigma)
{
  NodeField field{"principal_stress", 3, {}};
  for_each_tensor(sigma, [&](const auto &tensor) {
    const auto values = dealii::eigenvalues(tensor);
    field.values.insert(field.values.end(), values.begin(), values.end());
  });
  return field;
}
}  // namespace

/// Stress that is continuous inside each material.
template <int dim>
struct FieldOutput<dim>::Smoothed
{
  Smoothed(const SolidBody<dim> &system, const char *ending, const NodalRule rule) : ending(ending), stress(system, rule) {}
  const std::string ending;
  NodalStress<dim> stress;
};

template <int dim>
FieldOutput<dim>::FieldOutput(const SolidBody<dim> &system, const CellFrames<dim> &frames, std::vector<std::string> fields,
                              Reaction reaction)
    : system(system), wanted(std::move(fields)), reaction(std::move(reaction)), frames(frames), at_nodes(system, nodes_of<dim>)
{
  for (const auto &[field, ending, rule] :
       {std::tuple{"averaged stress", "_averaged", NodalRule::averaged}, {"projected stress", "_projected", NodalRule::projected}})
    if (wants(field))
      smoothed.push_back(std::make_unique<Smoothed>(system, ending, rule));
}

template <int dim>
FieldOutput<dim>::~FieldOutput() = default;

template <int dim>
bool FieldOutput<dim>::wants(const std::string &field) const
{
  return std::count(wanted.begin(), wanted.end(), field) > 0;
}

template <int dim>
void FieldOutput<dim>::add_stresses(const State &state, std::vector<NodeField> &fields) const
{
  if (!wants("stress") && !wants("strain") && !wants("principal stress"))
    return;
  NodeField sigma = tensor_field(), strain = tensor_field();
  std::vector<NodeField> scalars{{"strain_energy_density", 1, {}}};
  for (const std::string &name : at_nodes.remembered())
    scalars.push_back({name, 1, {}});
  at_nodes.visit(state, false, [&](const auto &, const auto &, const auto &, const std::vector<PointStress> &nodes) {
    for (const PointStress &node : nodes)
    {
      append(node.stress, sigma);
      append(node.strain, strain);
      scalars[0].values.push_back(node.energy);
      for (std::size_t k = 0; k < node.remembered.size(); ++k)
        scalars[1 + k].values.push_back(node.remembered[k]);
    }
  });
  frames.average(sigma);
  if (wants("stress"))
  {
    add_stress(sigma, "", dim, fields);
    for (NodeField &scalar : scalars)
    {
      frames.average(scalar);
      fields.push_back(scalar);
    }
  }
  if (wants("strain"))
  {
    frames.average(strain);
    fields.push_back(tensors(strain, "strain", 3));
  }
  if (wants("principal stress"))
    fields.push_back(principal(sigma));
}

template <int dim>
void FieldOutput<dim>::add_smoothed(const State &state, std::vector<NodeField> &fields) const
{
  for (const auto &one : smoothed)
  {
    one->stress.compute(state);
    add_stress(frames.at_nodes("stress", StressPoints::components,
                               [&](const auto &cell, const unsigned int a, unsigned int, const int c) {
                                 return one->stress.at(cell, system.mesh().region_of(cell).family.fe->get_unit_support_points()[a])[c];
                               }),
               one->ending, dim, fields);
  }
}

template <int dim>
std::string FieldOutput<dim>::write_fields(const State &state, const std::string &folder, const std::string &base) const
{
  const ScopedTimer timer("output");
  std::vector<NodeField> fields;
  for (const auto &[name, x] : {std::pair{"displacement", &state.q}, {"velocity", &state.v}, {"acceleration", &state.a}})
    if (wants(name))
      fields.push_back(frames.motion(name, *x));
  if (wants("reaction"))
    fields.push_back(frames.motion("reaction", reaction(state)));
  add_stresses(state, fields);
  add_smoothed(state, fields);
  if (wants("material"))
    fields.push_back(frames.at_nodes("material", 1, [](const auto &cell, auto...) { return double(cell->material_id()); }));
  return frames.write(fields, state.t, folder, base);
}

template <int dim>
std::vector<std::string> FieldOutput<dim>::write(const State &state, const std::string &folder, const unsigned int number) const
{
  std::vector<std::string> files{write_fields(state, folder, fmt::format("solution-{:05d}", number))};
  if (wants("quadrature stress"))
    for (const std::string &file : write_quadrature_points(system, state, folder, number))
      files.push_back(file);
  return files;
}

template class FieldOutput<2>;
template class FieldOutput<3>;
}  // namespace symdyn
