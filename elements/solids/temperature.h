#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/space/discretisation.h"
#include "elements/space/named_nodes.h"
#include "elements/temperature_field.h"

namespace symdyn
{
/// The temperatures that a deck prescribes, in the cells of a solid. They stand at the nodes. In hexahedra of order p the temperature is
/// the polynomial of degree p - 1 that agrees with the interpolation of the nodes at p Gauss points in each direction, so that the free
/// thermal strain is one that a cell can have: cells of order 1 have a mean (Abaqus and CalculiX do the same). Other cells of order 2 take
/// the interpolation.
template <int dim>
class Temperature
{
public:
  /// Whether a name of nodes is none of the solid's, but of shells or beams beside it.
  using IsElsewhere = std::function<bool(const std::string &)>;
  /// Finds the nodes that the deck names. Collective. Errors: InputError.
  Temperature(std::shared_ptr<const TemperatureField> field, const Discretisation<dim> &mesh, const IsElsewhere &elsewhere);
  bool changes() const { return field->changes(); }
  bool changes_in_time() const { return field->changes_in_time(); }

  /// By local node of the mesh; NaN: the reference temperature of the material.
  using Nodal = std::vector<double>;
  Nodal at_start() const;
  Nodal at(const Moment &now) const;
  /// At quadrature point q of the cells of a batch; `reference` stands for NaN.
  Wide at_point(const Nodal &values, const CellRegion<dim> &region, std::size_t batch, int q, double reference) const;

private:
  void add(const std::vector<typename NamedNodes<dim>::Node> &nodes, const std::pair<std::size_t, std::size_t> &name);
  template <class Value>
  Nodal each(const Value &value) const;

  std::shared_ptr<const TemperatureField> field;
  const Discretisation<dim> *mesh;
  std::map<unsigned int, TemperatureField::Names> of_cells;  ///< local nodes
  std::vector<std::vector<double>> interpolation;            ///< by region: of node a at point q [q * nodes + a]
};
}  // namespace symdyn
