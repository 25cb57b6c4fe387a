#pragma once
#include <cstdint>
#include <vector>

#include "solver/block_matrix.h"
#include "solver/vector.h"

namespace symdyn
{
/// A mass that joins two local sites [kg].
struct PairMass
{
  int row, column;
  double mass;
};

/// A mass of all degrees of freedom of some sites, that of a reduced model [kg].
struct DenseMass
{
  std::vector<std::uint64_t> sites;  ///< of all ranks; a rank that owns one of them knows them all
  std::vector<double> mass;          ///< symmetric, by rows; row = block * (place in `sites`) + component
};

/// The mass matrix of cells: one number a pair of sites, the same for each component, but for what incompatible modes add [kg].
class SiteMass
{
public:
  virtual ~SiteMass() = default;
  /// Writes M v into the rows of the nodes of the cells; other rows stay.
  virtual void multiply(const Vector &v, Vector &Mv) const = 0;
  /// y += m M x without a matrix, owned and ghost entries; the caller compresses. Where needs_matrix() is false.
  virtual void add_product(double /*m*/, const Vector & /*x*/, Vector & /*y*/) const {}
  /// Whether multiply() is the cheaper product: M is diagonal, or its sparse matrix small.
  virtual bool needs_matrix() const { return true; }
  virtual bool diagonal() const = 0;
  /// Owned nodes of the cells: the first of the owned sites.
  virtual int rows() const = 0;
  /// M_aa of one of them.
  virtual double diagonal_entry(unsigned int site) const = 0;
  /// A += m M.
  virtual void add_to(double m, const BlockMatrix &A) const = 0;
  /// The same with the lumped mass, whatever this one is.
  virtual std::vector<double> lumped_diagonal() const = 0;
};
}  // namespace symdyn
