#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/amplitude.h"
#include "elements/space/discretisation.h"
#include "elements/space/named_nodes.h"

namespace symdyn
{
/// The temperature of a body, which the deck prescribes; heat is not conducted. It stands at the nodes. In hexahedra of order p it is the
/// polynomial of degree p - 1 that agrees with the interpolation of the nodes at p Gauss points in each direction, so that the free thermal
/// strain is one that a cell can have: cells of order 1 have a mean (Abaqus and CalculiX do the same). Other cells of order 2 take the
/// interpolation.
template <int dim>
class Temperature
{
public:
  /// The section Temperature. Errors: InputError.
  void declare(Parameters p);
  void document(Parameters p);
  bool given() const { return !place.empty(); }
  /// Whether anything says what the temperatures become. If not, they stay as they are at the start.
  bool changes() const;
  /// Whether they change with t, also while no static stage takes them from one field to another.
  bool changes_in_time() const;
  std::string where() const { return place; }

  /// Finds the nodes that the deck names. Collective. Errors: InputError.
  void prepare(const Discretisation<dim> &mesh);

  /// By local node of the mesh; NaN: the reference temperature of the material.
  using Nodal = std::vector<double>;
  Nodal at_start() const;
  Nodal at(const Moment &now) const;
  /// At quadrature point q of the cells of a batch; `reference` stands for NaN.
  Wide at_point(const Nodal &values, const CellRegion<dim> &region, std::size_t batch, int q, double reference) const;

private:
  /// Of nodes that the mesh names.
  struct OfNodes
  {
    std::string name, where;
    std::vector<std::string> nodes;
    bool starts = false, becomes = false;    ///< Initial and Value are given
    std::vector<Expression> initial, value;  ///< one of all nodes, or one each
    Amplitude amplitude;
    std::vector<std::pair<unsigned int, std::size_t>> local;  ///< nodes, and which of `nodes` they are
    void declare(Parameters &p);
    void prepare(const NamedNodes<dim> &named);
    const Expression &of(const std::vector<Expression> &values, const std::size_t k) const { return values[values.size() > 1 ? k : 0]; }
  };
  void declare_entries(Parameters &p);

  std::string place;
  bool starts = false, becomes = false;  ///< Initial and Field are given
  Expression initial, field;
  std::vector<OfNodes> of_nodes;
  const Discretisation<dim> *mesh = nullptr;
  std::vector<unsigned int> of_cells;              ///< local nodes, each once
  std::vector<std::vector<double>> interpolation;  ///< by region: of node a at point q [q * nodes + a]
};
}  // namespace symdyn
