#pragma once
#include <vector>

#include "solver/actions.h"
#include "solver/deck/formula/table_driven.h"
#include "solver/vector.h"

namespace symdyn
{
/// Prescribed motion of sites. At each held site a subspace of motions is left, with the orthogonal projector P: u = P u + g(t).
class SiteSupports
{
public:
  virtual ~SiteSupports() = default;
  /// Writes what is prescribed at t into q [m], v [m/s] and a [m/s²], as far as the stage has come.
  virtual void impose(double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const = 0;
  /// r <- P r at owned sites.
  virtual void project(Vector &r) const = 0;
  /// P of a local site by rows; nullptr: it is free.
  virtual const double *projector(unsigned int site) const = 0;
  /// Whether anything is held, and whether any prescribed motion is not zero.
  virtual bool any() const = 0;
  virtual bool moves() const = 0;
  /// The tables that prescribe motions of the present stage.
  virtual void add_tables(std::vector<DrivingTable> & /*driving*/) const {}
};
}  // namespace symdyn
