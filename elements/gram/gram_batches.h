#pragma once
#include <utility>
#include <vector>

#include "elements/gram/gram_layout.h"
#include "elements/space.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// What elements of a layout compute, `lanes` side by side, at some q: nodal vectors y about which B is taken, their derived ones z,
/// strains eps and stresses sigma, and forces on derived and on nodal vectors.
struct GramRoom
{
  explicit GramRoom(const GramLayout &layout);
  std::vector<Triple<Wide>> y, z, of_derived, f;
  std::vector<Wide> eps, sigma, change;  ///< change: of strains
};

/// Elements of one layout, `lanes` side by side: those that this rank counts, then those of other ranks that touch its sites. Each nodal
/// vector is a sum of sites, the same number of them in all elements.
class GramBatches
{
public:
  /// A nodal vector: local sites with their factors.
  using Sums = std::vector<std::vector<std::pair<int, double>>>;

  /// Of elements like this one.
  GramBatches(const GramModel &model, const Sums &sums);
  bool fit(const GramModel &model, const Sums &sums) const;
  /// Elements that this rank counts come first. The element is the last one of the last batch then.
  void add(const GramModel &model, const Sums &sums, bool counts, const Space &space);

  /// All elements are there.
  void close();

  const GramLayout &layout() const { return of_type; }
  int batches() const { return int(filled.size()); }
  /// Those of elements that this rank counts.
  int counted() const { return own; }

  /// Sums of x, of the places and directors at rest, and of both.
  void gather(int batch, const double *x, std::vector<Triple<Wide>> &y) const;
  void gather_rest(int batch, const Space &space, std::vector<Triple<Wide>> &Y) const;
  void gather_present(int batch, const Space &space, const double *q, std::vector<Triple<Wide>> &y) const;
  void scatter(int batch, const std::vector<Triple<Wide>> &f, double *x) const;
  const Wide *D(const int batch) const { return &stiffness[std::size_t(place_of_D[batch]) * of_type.stiffnesses()]; }
  const Wide *rest(const int batch) const { return &strains[std::size_t(batch) * of_type.strains()]; }

  int elements(const int batch) const { return filled[batch]; }
  /// A site in a nodal vector of an element.
  struct Part
  {
    int site, vector;
    double factor;
  };
  void parts(int batch, int lane, std::vector<Part> &all) const;

private:
  int slots() const { return int(vector_of.size()); }
  /// y = sums of the component d of sites, value(site, d).
  template <class Value>
  void sum(int batch, const Value &value, std::vector<Triple<Wide>> &y) const;
  void find_rest(int batch, int lane, const Space &space);
  /// The last batch takes D of the one before, where they are equal but for rounding: on regular meshes all are, and D of one cell is most
  /// of what it keeps.
  void share_last();

  GramLayout of_type;
  std::vector<int> vector_of;   ///< of each slot
  int own = 0;                  ///< batches
  std::vector<int> filled;      ///< lanes with an element; in others D is 0
  bool plain;                   ///< all factors are 1, and not kept
  std::vector<int> sites;       ///< [batch][slot][lane]
  std::vector<Wide> factors;    ///< [batch][slot]
  std::vector<int> place_of_D;  ///< of each batch, in `stiffness`
  std::vector<Wide> stiffness, strains;
};
}  // namespace symdyn
