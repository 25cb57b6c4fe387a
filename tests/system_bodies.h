#pragma once
#include <string>

#include "tests/bodies.h"

// Bodies and states for tests of FiniteElementSystem.
namespace symdyn::tests::in_system
{
/// A distorted box of 2 x 2 (x 2) cells, without supports.
template <int dim>
std::string box(const std::string &cells, const int degree, const std::string &material)
{
  const std::string size = dim == 2 ? "1, 1.5" : "1, 1.5, 1.2";
  return subsection("Mesh", "set Type = box\nset Subdivisions = " + std::string(dim == 2 ? "2, 2" : "2, 2, 2") +
                                "\nset Cell shape = " + cells + "\nset Order = " + std::to_string(degree) + "\n" +
                                subsection("box", "set Size = " + size + "\nset Distortion = 0.2")) +
         made_of(material);
}

/// A state well inside of what is admissible.
template <int dim>
Vector deformed(const Body<dim> &body, const double size = 0.1)
{
  Vector q = body.nodal([size](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u;
    u[0] = size * (X[0] + X[1] * X[1]);
    u[1] = size * (X[0] - 0.5 * X[dim - 1] * X[0]);
    u[dim - 1] += 0.7 * size * X[dim - 1] * X[0];
    return u;
  });
  return moved(q, 1., Random(3).vector(q, 0.01 * size));
}
}  // namespace symdyn::tests::in_system
