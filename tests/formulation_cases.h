#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/cells.h"

// Cells of every formulation.
namespace symdyn::tests::in_formulations
{
enum Kind
{
  tensor,
  simplex,
  wedge
};
struct Case
{
  std::string formulation;
  int degree;
  Kind kind;
  bool curved;
  const char *name;
};
inline const std::vector<Case> cases = {{"mean-dilatation", 1, tensor, false, "mean dilatation"},
                                        {"incompatible-modes", 1, tensor, false, "incompatible modes"},
                                        {"serendipity", 2, tensor, false, "serendipity"},
                                        {"serendipity", 2, tensor, true, "curved serendipity"},
                                        {"serendipity-reduced", 2, tensor, true, "curved serendipity, reduced"},
                                        {"standard", 2, simplex, true, "curved simplex"},
                                        {"standard", 2, tensor, true, "curved Q2"},
                                        {"standard", 1, wedge, false, "wedge"},
                                        {"standard", 2, wedge, false, "wedge of 15 nodes"},
                                        {"standard", 2, wedge, true, "curved wedge"}};

template <int dim>
Cells<dim> cells_of(const Case &what, const double distortion)
{
  const dealii::ReferenceCell shape = what.kind == wedge     ? dealii::ReferenceCell(dealii::ReferenceCells::Wedge)
                                      : what.kind == simplex ? dealii::ReferenceCells::get_simplex<dim>()
                                                             : dealii::ReferenceCells::get_hypercube<dim>();
  return Cells<dim>(shape, what.degree, what.curved ? 0.3 * distortion : distortion, what.formulation, what.curved);
}

template <int dim>
void for_each_case(const double distortion, const std::function<void(Cells<dim> &, const Case &)> &test)
{
  for (const Case &what : cases)
  {
    if (dim == 2 && what.kind == wedge)
      continue;
    SCOPED_TRACE(std::string(what.name) + " in " + std::to_string(dim) + "-D");
    Cells<dim> cells = cells_of<dim>(what, distortion);
    test(cells, what);
  }
}

inline bool of_its_own(const Case &what) { return what.formulation == "mean-dilatation" || what.formulation == "incompatible-modes"; }

/// Small enough that the modes of a cell find their equilibrium.
constexpr double distortion = 0.08;
}  // namespace symdyn::tests::in_formulations
