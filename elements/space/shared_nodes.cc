#include "elements/space/shared_nodes.h"

#include <deal.II/base/polynomial.h>
#include <deal.II/base/tensor_product_polynomials.h>
#include <deal.II/fe/fe_poly.h>
#include <deal.II/hp/fe_collection.h>
#include <fmt/format.h>

#include "solver/error.h"

namespace symdyn
{
namespace
{
using Identities = std::vector<std::pair<unsigned int, unsigned int>>;

template <int dim>
dealii::AnisotropicPolynomials<dim> constant_functions(const unsigned int count)
{
  using Polynomial = dealii::Polynomials::Polynomial<double>;
  std::vector<std::vector<Polynomial>> along(dim, {Polynomial(std::vector<double>{1.})});
  along[0].assign(count, along[0][0]);
  return dealii::AnisotropicPolynomials<dim>(along);
}

/// Nodes of vertices and lines. Faces have one description for all: deal.II 9.4 looks up the faces of a cell, by their number, in the
/// element of its neighbour, and those of wedges and pyramids with their five would be read beyond their end.
template <int dim>
dealii::FiniteElementData<dim> nodes_at_edges(const dealii::FiniteElementData<dim> &of)
{
  if (dim == 2)
    return of;
  const dealii::ReferenceCell cell = of.reference_cell();
  const unsigned int lines = of.n_dofs_per_line(), vertices = cell.n_vertices(), all = of.n_dofs_per_cell(), corners = 4;
  dealii::internal::GenericDoFsPerObject nodes;
  nodes.dofs_per_object_exclusive = {{1}, {lines}, {0}, {0}};
  nodes.dofs_per_object_inclusive = {{1}, {2 + lines}, {corners * (1 + lines)}, {all}};
  nodes.object_index = {{}, {vertices}, {all}, {all}};
  nodes.first_object_index_on_face = {{}, {corners}, {corners * (1 + lines)}};
  return dealii::FiniteElementData<dim>(nodes, cell, 1, of.degree, dealii::FiniteElementData<dim>::H1);
}

/// Where an element has its nodes: one at a vertex and at most one in a line, which it shares with any other element (deal.II 9.4 knows
/// that of some pairs only). For numbering alone: its functions are not those of the element.
template <int dim>
class NodesOfElement : public dealii::FE_Poly<dim>
{
public:
  explicit NodesOfElement(const dealii::FiniteElementData<dim> &of)
      : dealii::FE_Poly<dim>(constant_functions<dim>(of.n_dofs_per_cell()), nodes_at_edges<dim>(of),
                             std::vector<bool>(of.n_dofs_per_cell(), false),
                             std::vector<dealii::ComponentMask>(of.n_dofs_per_cell(), std::vector<bool>(1, true)))
  {
  }
  std::unique_ptr<dealii::FiniteElement<dim>> clone() const override { return std::make_unique<NodesOfElement>(*this); }
  std::string get_name() const override { return "nodes of " + this->reference_cell().to_string(); }
  Identities hp_vertex_dof_identities(const dealii::FiniteElement<dim> &) const override { return {{0u, 0u}}; }
  Identities hp_line_dof_identities(const dealii::FiniteElement<dim> &) const override
  {
    return this->n_dofs_per_line() == 1 ? Identities{{0u, 0u}} : Identities{};
  }
  Identities hp_quad_dof_identities(const dealii::FiniteElement<dim> &, unsigned int) const override { return {}; }
  dealii::FiniteElementDomination::Domination compare_for_domination(const dealii::FiniteElement<dim> &, unsigned int) const override
  {
    return dealii::FiniteElementDomination::either_element_can_dominate;
  }
  bool hp_constraints_are_implemented() const override { return true; }
};

template <int dim>
void check_element(const dealii::FiniteElement<dim> &fe)
{
  const dealii::ReferenceCell cell = fe.reference_cell();
  const unsigned int lines = fe.n_dofs_per_line();
  if (fe.n_dofs_per_vertex() != 1 || lines > 1 || fe.n_dofs_per_cell() != cell.n_vertices() + lines * cell.n_lines())
    throw InputError(fmt::format(
        "cells of several shapes have elements with nodes at vertices and in the middles of lines, and that of {} cells has {} nodes. Set "
        "Order = 1, or Order = 2 and Element = serendipity",
        cell.to_string(), fe.n_dofs_per_cell()));
}
}  // namespace

template <int dim>
void distribute_shared_nodes(const std::vector<CellRegion<dim>> &regions, dealii::DoFHandler<dim> &handler)
{
  dealii::hp::FECollection<dim> elements;
  for (const CellRegion<dim> &region : regions)
  {
    check_element(*region.family.fe);
    elements.push_back(NodesOfElement<dim>(*region.family.fe));
  }
  for (const auto &cell : handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (unsigned int region = 0; region < regions.size(); ++region)
        if (regions[region].shape() == cell->reference_cell())
          cell->set_active_fe_index(region);
  handler.distribute_dofs(elements);
}

template void distribute_shared_nodes(const std::vector<CellRegion<2>> &, dealii::DoFHandler<2> &);
template void distribute_shared_nodes(const std::vector<CellRegion<3>> &, dealii::DoFHandler<3> &);
}  // namespace symdyn
