#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/bodies.h"

// Small bodies of the material with a memory in newcomers/j2.cc.
namespace symdyn::tests::in_newcomer_j2
{
constexpr double sigma_y = 4., H = 100.;  // with E and nu of tests/materials.h

/// The variables of a cell at one of its points; empty: it has none.
template <int dim>
std::vector<Wide> at_point(const SolidHistory<dim> &layout, const unsigned int cell, const unsigned int point, const double *history)
{
  constexpr int variables = 8;
  const std::vector<Wide> all = layout.of_cell(cell, history);
  return all.empty() ? all : std::vector<Wide>(all.begin() + variables * point, all.begin() + variables * (point + 1));
}

inline std::string j2_material(const std::string &name, const std::string &more = "")
{
  return subsection(
      name, "set Type = newcomer-j2\nset Density = 1000\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\nset Hardening = 100\n" + more);
}

inline std::string box(const int dim, const std::string &cells, const std::string &shape, const int degree, const double distortion)
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = " + cells + "\nset Cell shape = " + shape +
                                "\nset Order = " + std::to_string(degree) + "\n" +
                                subsection("box", "set Size = " + std::string(dim == 2 ? "1, 1" : "1, 1, 1") +
                                                      "\nset Distortion = " + std::to_string(distortion)));
}

/// The cells of a body, driven from increment to increment.
template <int dim>
struct Driven
{
  explicit Driven(const Body<dim> &body) : body(body), term(*body.fem().cells()), from(term.history_size() / lanes), to(from.size())
  {
    term.begin_history(reinterpret_cast<double *>(from.data()));
  }
  const double *accepted() const { return reinterpret_cast<const double *>(from.data()); }
  double *next() { return reinterpret_cast<double *>(to.data()); }
  At at(const Vector &q, const double dt = 1.) const { return {0., &q, nullptr, nullptr, Part::all, accepted(), dt}; }

  double energy(const Vector &q, const double dt = 1.) const { return term.energy(at(q, dt)); }
  Vector force(const At &where) const
  {
    Vector sum = body.mesh().new_vector();
    term.add_force(where, sum);
    sum.compress(dealii::VectorOperation::add);
    return sum;
  }
  Vector product(const Vector &q, const Vector &u) const
  {
    Vector sum = body.mesh().new_vector();
    term.add_product(at(q), K, u, sum);
    sum.compress(dealii::VectorOperation::add);
    return sum;
  }
  /// An increment that ends at q.
  Vector accept(const Vector &q)
  {
    At where = at(q);
    where.to = next();
    const Vector force_there = force(where);
    from.swap(to);
    return force_there;
  }

  HistoryPointer history() const
  {
    const auto all = std::make_shared<TermHistories>(std::vector<std::shared_ptr<Term>>{body.fem().cells()});
    std::copy_n(accepted(), term.history_size(), all->of(0));
    return all;
  }

  const Body<dim> &body;
  const SolidTerm<dim> &term;
  std::vector<Wide> from, to;
};

/// Far beyond yielding everywhere, of a shape that depends on the number.
template <int dim>
Vector motion(const Body<dim> &body, const int number)
{
  const double s = number % 2 ? 0.08 : -0.05;
  return body.nodal([&](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u;
    u[0] = s * (X[0] + 0.3 * X[1] * X[1] + number * 0.1 * X[dim - 1]);
    u[1] = s * (0.5 * X[0] - 0.4 * X[1] + 0.2 * X[0] * X[1]);
    u[dim - 1] += s * 0.3 * (X[0] - X[dim - 1] * X[1]);
    return u;
  });
}

template <int dim>
void for_each_body(const std::function<void(const Body<dim> &)> &test)
{
  for (const auto &[shape, degree] : {std::pair{"hexahedra", 1}, {"hexahedra", 2}, {"tetrahedra", 1}, {"tetrahedra", 2}})
  {
    SCOPED_TRACE(std::to_string(dim) + "-D " + shape + " " + std::to_string(degree));
    const Body<dim> body(box(dim, dim == 2 ? "2, 1" : "2, 1, 1", shape, degree, 0.1) +
                         subsection("Materials", j2_material("body", dim == 2 ? "set Thickness = 0.3\n" : "")));
    test(body);
  }
}
}  // namespace symdyn::tests::in_newcomer_j2
