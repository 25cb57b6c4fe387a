#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/amplitude.h"

namespace symdyn
{
/// The temperatures that a deck prescribes: the section Temperature. A function of place and time for all nodes, and values of its own for
/// nodes that the mesh's file names; NaN stands for the reference temperature of the material. Heat is not conducted.
class TemperatureField
{
public:
  /// Errors: InputError.
  void declare(Parameters p);
  void document(Parameters p);
  bool given() const { return !place.empty(); }
  /// Whether anything says what the temperatures become. If not, they stay as they are at the start.
  bool changes() const;
  /// Whether they change with t, also while no static stage takes them from one field to another.
  bool changes_in_time() const;
  std::string where() const { return place; }

  /// Nodes that the deck names.
  struct OfNodes
  {
    std::string name, where;
    std::vector<std::string> nodes;
    bool starts = false, becomes = false;    ///< Initial and Value are given
    std::vector<Expression> initial, value;  ///< one of all nodes, or one each
    Amplitude amplitude;
    void declare(Parameters &p);
    const Expression &of(const std::vector<Expression> &values, const std::size_t k) const { return values[values.size() > 1 ? k : 0]; }
  };
  const std::vector<OfNodes> &named() const { return of_nodes; }
  /// Which of named() name a node, and which of their `nodes` it is: later ones win.
  using Names = std::vector<std::pair<std::size_t, std::size_t>>;
  /// At a place [m] of `dim` coordinates. Errors: InputError where a formula has no value.
  double at_start(const double *X, int dim, const Names &names) const;
  double at(const double *X, int dim, const Names &names, const Moment &now) const;
  /// Along the normal of shells and axis 1 of beams (k = 0), along axis 2 of beams (k = 1) [K/m]; at the start it is 0.
  double gradient(std::size_t k, const double *X, const Moment &now) const;
  bool has_gradient() const { return !slope.empty(); }

private:
  void declare_entries(Parameters &p);
  /// Errors: InputError where it is not finite.
  static double finite(double T, const std::string &where, const Expression &formula, const double *X, int dim);

  std::string place;
  bool starts = false, becomes = false;  ///< Initial and Field are given
  Expression initial, field;
  std::vector<Expression> slope;
  std::vector<OfNodes> of_nodes;
};
}  // namespace symdyn
