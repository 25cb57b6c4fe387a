// Cells of every formulation with laws that remember: derivatives of an increment, matrices also of laws without a potential.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/bodies.h"
#include "tests/j2_bodies.h"

namespace symdyn::tests::in_inelastic_cells
{
namespace
{
using in_newcomer_j2::Driven;

const std::string laws[] = {"set Hardening modulus = 100\n",
                            "set Kinematics = logarithmic\nset Backstress moduli = 60, 20\nset Backstress recovery = 30, 3\n",
                            "set Kinematics = small\nset Backstress moduli = 60\n"};

template <int dim>
Body<dim> body_of(const std::string &element, const std::string &law)
{
  return Body<dim>(
      subsection("Mesh", "set Type = box\nset Subdivisions = " + std::string(dim == 2 ? "2, 1" : "2, 1, 1") + "\n" + element +
                             subsection("box", "set Size = " + std::string(dim == 2 ? "1, 1" : "1, 1, 1") + "\nset Distortion = 0.1")) +
      subsection("Materials",
                 subsection("body", "set Type = plastic\nset Density = 1\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\n" + law)));
}

Vector difference(const std::function<Vector(const Vector &)> &of, const Vector &q, const Vector &w, const double h)
{
  Vector d = of(moved(q, h, w));
  d -= of(moved(q, -h, w));
  d *= 0.5 / h;
  return d;
}

/// From an increment of `first` to one of `q`.
template <int dim>
void test(const Body<dim> &body, const std::string &element, const std::string &law, const Vector &first, const Vector &q)
{
  SCOPED_TRACE(std::to_string(dim) + "-D, " + element + law);
  Driven<dim> driven(body);
  driven.accept(first);
  const Vector w = Random(4).vector(q, 0.05), Kw = driven.product(q, w), f = driven.force(driven.at(q));
  const auto force = [&](const Vector &x) { return driven.force(driven.at(x)); };
  std::array<double, 2> errors{}, of_energy{};
  const bool potential = law.find("recovery") == std::string::npos;
  for (const int k : {0, 1})
  {
    const double h = k == 0 ? 0.004 : 0.002;
    errors[k] = distance(difference(force, q, w, h), Kw);
    of_energy[k] = std::abs((driven.energy(moved(q, h, w)) - driven.energy(moved(q, -h, w))) / (2. * h) - f * w);
  }
  EXPECT_LT(errors[1], 1e-3 * Kw.l2_norm());
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2., 0.3);
  if (potential)
  {
    EXPECT_NEAR(std::log2(of_energy[0] / of_energy[1]), 2., 0.3);
  }
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A;
  A.allocate(pattern);
  TangentAssembly<dim>::clear(A);
  driven.term.add_matrix(driven.at(q), K, {A});
  Vector Aw = body.mesh().new_vector();
  A.multiply(w, Aw);
  EXPECT_LT(distance(Aw, Kw), 1e-12 * Kw.l2_norm());
  const Vector other = Random(5).vector(q, 0.05);
  Vector Ao = body.mesh().new_vector();
  A.multiply(other, Ao);
  const double skew = std::abs(w * Ao - other * Aw) / (w.l2_norm() * Ao.l2_norm());
  EXPECT_EQ(skew < 1e-12, potential) << skew;
}

template <int dim>
void test(const std::string &element, const std::string &law)
{
  const Body<dim> body = body_of<dim>(element, law);
  test(body, element, law, in_newcomer_j2::motion(body, 1), in_newcomer_j2::motion(body, 2));
}
}  // namespace

TEST(InelasticCells, DerivativesAndMatricesOfIncrements)
{
  for (const std::string &law : laws)
    for (const std::string element : {"set Order = 1\n", "set Order = 1\nset Element = mean-dilatation\n",
                                      "set Order = 1\nset Element = incompatible-modes\n", "set Order = 2\nset Element = serendipity\n"})
    {
      if (law.find("recovery") != std::string::npos && element.find("incompatible") != std::string::npos)
        continue;  // refused
      test<2>(element, law);
      test<3>(element, law);
    }
}

/// Bent so far that the pressure of cells without modes is many times the plastic moduli.
TEST(InelasticCells, ModesOfBentCells)
{
  const std::string element = "set Order = 1\nset Element = incompatible-modes\n", law = "set Hardening modulus = 20\n";
  const auto bent = [](const Body<3> &body, const double s) {
    return body.nodal([s](const dealii::Point<3> &X) {
      return dealii::Tensor<1, 3>({s * (X[0] - 0.5) * (X[1] - 0.5), -0.5 * s * (X[0] - 0.5) * (X[0] - 0.5), 0.});
    });
  };
  const Body<3> body = body_of<3>(element, law);
  for (const double s : {0.3, 0.6, 1.})
    test(body, element, law, bent(body, -0.1), bent(body, s));
}

/// Modes are no memory: increments are the same from whatever modes their search begins with. What points remember is one, the control.
TEST(InelasticCells, ModesDoNotDependOnTheirStart)
{
  constexpr int modes = 9, points = 8;
  const Body<3> body = body_of<3>("set Order = 1\nset Element = incompatible-modes\n", laws[0]);
  Driven<3> driven(body), other(body);
  const Vector q = in_newcomer_j2::motion(body, 2);
  for (Driven<3> *one : {&driven, &other})
    one->accept(in_newcomer_j2::motion(body, 1));
  const std::size_t behind = other.from.size() - modes, last_of_points = behind - (behind - modes) / points;
  double largest = 0;
  for (std::size_t i = behind; i < other.from.size(); ++i)
  {
    largest = std::max(largest, std::abs(other.from[i][0]));
    other.from[i] = Wide(-2. * other.from[i][0] + 0.01);
  }
  EXPECT_GT(largest, 1e-3);  // they are kept
  const Vector f = driven.force(driven.at(q));
  EXPECT_LT(distance(other.force(other.at(q)), f), 1e-11 * f.l2_norm());
  EXPECT_NEAR(other.energy(q), driven.energy(q), 1e-12 * driven.energy(q));
  for (std::size_t i = last_of_points; i < behind; ++i)
    other.from[i] += Wide(1e-3);
  EXPECT_GT(distance(other.force(other.at(q)), f), 1e-4 * f.l2_norm());
}

/// With a frozen history the force at the end of an increment is that of the increment; the modes of the cells are computed again.
TEST(InelasticCells, TheAcceptedStateHasItsForce)
{
  for (const std::string element :
       {"set Order = 1\n", "set Order = 1\nset Element = mean-dilatation\n", "set Order = 1\nset Element = incompatible-modes\n"})
  {
    SCOPED_TRACE(element);
    const Body<3> body = body_of<3>(element, laws[0]);
    Driven<3> driven(body);
    driven.accept(in_newcomer_j2::motion(body, 1));
    const Vector q = in_newcomer_j2::motion(body, 2), end = driven.accept(q), frozen = driven.force(driven.at(q, 0.));
    EXPECT_LT(distance(end, frozen), 1e-11 * end.l2_norm());
  }
}
}  // namespace symdyn::tests::in_inelastic_cells
