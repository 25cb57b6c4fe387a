#pragma once
#include <string>
#include <utility>
#include <vector>

#include "elements/cells/formulation.h"

namespace symdyn
{
/// What a mesh will be, before it is made. Numbers are double: they may be beyond any integer.
struct MeshForecast
{
  int dim = 3;
  int degree = 1;
  double coarse_cells = 0;
  int refinements = 0;
  bool curved = false;
  CellForecast cell, linear_cell;  ///< of the elements, and of those of degree 1 on the same cells

  double cells() const;
  /// Of a compact body; a slender one has a few per cent more.
  double nodes() const;
  double dofs() const { return dim * nodes(); }
};

/// The mean of several kinds of cells, by how many there are of each.
CellForecast mean_forecast(const std::vector<std::pair<double, CellForecast>> &cells);

/// What the run will do with it.
struct Workload
{
  bool tangent = true;               ///< equations with K are solved
  bool mass_matrix = true;           ///< M is not diagonal
  bool symmetric = true;             ///< K is: no loads that follow the body, no discrete gradients
  std::string solver = "automatic";  ///< as it names itself
  int modes = 0;                     ///< that are looked for
  bool complex = false;              ///< equations of forced vibration are solved
};

/// Memory of a run at its peak [bytes]: `shared` is divided among the ranks, each of which has `each` on top.
struct MemoryEstimate
{
  double shared = 0, each = 0;
  double total(const int ranks) const { return shared + ranks * each; }
};

/// Fitted to measured peaks of a hundred thousand to a million degrees of freedom in 2-D and 3-D, on boxes and beams.
/// Pinned by the deck tests Memory.Estimate*.
MemoryEstimate estimate_memory(const MeshForecast &mesh, const Workload &work);
}  // namespace symdyn
