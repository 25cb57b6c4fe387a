#pragma once
#include <deal.II/base/point.h>

#include <string>
#include <vector>

#include "elements/solids/solid_body.h"
#include "elements/system/remembered_fields.h"

namespace symdyn
{
/// A quantity that a law remembers, at the quadrature point nearest to a place of the undeformed body whose law remembers it.
template <int dim>
class PointMemory
{
public:
  /// Those that probes have: "p", the accumulated plastic strain [-], and "temperature", if any law of the body remembers them.
  static std::vector<std::string> quantities(const SolidBody<dim> &body);
  /// Finds the point; of equally near ones that of the lowest rank and cell. Collective. `body` must outlive this.
  PointMemory(const SolidBody<dim> &body, const dealii::Point<dim> &X, std::string quantity);
  const std::string &quantity() const { return name; }
  /// On every rank. Collective.
  double at(const State &state) const;

private:
  /// Of this rank. Returns its distance [m], infinite where there is none.
  double find(const dealii::Point<dim> &X);

  const SolidBody<dim> *body;
  RememberedFields fields;
  std::string name;
  std::size_t place;                       ///< in `fields`
  const InelasticMaterial *law = nullptr;  ///< of the point, if it is on this rank
  unsigned int cell = 0;                   ///< active
  int variable = 0;                        ///< the first one of the point, of those of the cell
};
}  // namespace symdyn
