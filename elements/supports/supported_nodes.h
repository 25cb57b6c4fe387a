#pragma once
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <mpi.h>

#include <string>
#include <vector>

namespace symdyn
{
/// The nodes that supports can hold, by their local sites, owned ones first: those of a mesh, or of surfaces, whose nodes have directors.
template <int dim>
class SupportedNodes
{
public:
  virtual ~SupportedNodes() = default;
  virtual MPI_Comm communicator() const = 0;
  virtual unsigned int local() const = 0;  ///< how many sites there are here
  virtual unsigned int owned() const = 0;
  /// Of the local sites [m]; infinite where one is no node.
  virtual const std::vector<dealii::Point<dim>> &positions() const = 0;
  /// Where a site stands, a director at its node [m].
  virtual dealii::Point<dim> place(const unsigned int site) const { return positions()[site]; }
  /// Local nodes, ascending. Errors: InputError that lists the boundaries.
  virtual std::vector<unsigned int> on_boundary(const std::string &name) const = 0;
  /// Normal of length 1 of a plane boundary; 0: it is curved. Collective.
  virtual dealii::Tensor<1, dim> plane_normal(const std::string &boundary) const = 0;
  /// Local nodes of sets, or with numbers. Collective. Errors: InputError.
  virtual std::vector<unsigned int> named(const std::vector<std::string> &names) const = 0;
  virtual double smallest_edge() const = 0;          ///< [m]
  virtual bool is_complete() const { return true; }  ///< no: of a lower degree than the deck's mesh

  /// Local sites of the directors of a node, and they at rest.
  struct Director
  {
    unsigned int site;
    dealii::Tensor<1, dim> at_rest;
  };
  virtual std::vector<Director> directors(unsigned int /*node*/) const { return {}; }
  virtual bool turn() const { return false; }  ///< whether nodes have directors
};
}  // namespace symdyn
