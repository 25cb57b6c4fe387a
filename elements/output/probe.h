#pragma once
#include <string>
#include <utility>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
class Parameters;

/// What motion is reported of: a material point, interpolated in its cell; a node, by its number in the mesh file or as the nearest to a
/// place; the mean of the nodes of a boundary or of a cell group.
template <int dim>
class Probe
{
public:
  /// Errors: InputError unless exactly one of Point, Node, Nearest node, Set is given.
  void declare(const std::string &name, Parameters &p);
  static void document(Parameters p);
  /// `mesh_file`: that of the nodes' numbers, "" if the mesh is generated. Errors: InputError for a point outside the body, a number or a
  /// set that is not there. Collective.
  void prepare(const Discretisation<dim> &mesh, const std::string &mesh_file);
  /// sum_a w_a x_a over its nodes, on every rank: N_a(X) of a point; 1 of a node; 1/n of a set of n nodes. Collective.
  dealii::Tensor<1, dim> at(const Vector &x) const;
  /// Its place in the undeformed body, of a set the mean of its nodes [m]. Collective.
  dealii::Point<dim> place(const Discretisation<dim> &mesh) const;
  const std::string &name() const { return own_name; }
  /// The first entries of its nodes in a vector, and w_a, of this rank.
  std::vector<std::pair<unsigned int, double>> shares() const;
  bool wants_stress() const { return stress; }
  const std::string &place_in_deck() const { return where; }
  /// The name of a contact whose fields it has; "": none.
  const std::string &contact() const { return of_contact; }
  const std::string &contact_in_deck() const { return where_contact; }

private:
  enum class Kind
  {
    point,
    node,
    nearest,
    set
  };
  void prepare_point(const Discretisation<dim> &mesh);
  void prepare_node(const Discretisation<dim> &mesh, double farthest, const std::string &fault);
  void prepare_set(const Discretisation<dim> &mesh);

  std::string own_name, where, set, of_contact, where_contact;
  bool stress = false;
  Kind kind = Kind::point;
  int number = 0;
  dealii::Point<dim> point;
  MPI_Comm communicator = MPI_COMM_WORLD;
  std::vector<unsigned int> nodes;  // local; empty on ranks that do not hold the point
  std::vector<double> weight;
};
}  // namespace symdyn
