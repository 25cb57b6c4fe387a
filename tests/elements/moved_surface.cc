// Shape functions of cells on their faces: each is 1 at its node and 0 at the others; together they reproduce linear fields.
#include "elements/space/moved_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/bodies.h"

namespace symdyn::tests::in_moved_surface
{
namespace
{
constexpr double rounding = 2e-14;

template <int dim>
void expect_shape_functions(const std::string &mesh)
{
  SCOPED_TRACE(mesh);
  const Body<dim> body(subsection("Mesh", fmt::format("set Type = box\n{}\nset Subdivisions = {}\n{}", mesh, dim == 2 ? "1, 1" : "1, 1, 1",
                                                      subsection("box", dim == 2 ? "set Size = 2, 1" : "set Size = 2, 1, 1"))) +
                       subsection("Materials", subsection("any", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1")));
  const MovedSurface<dim> surface(const_cast<Discretisation<dim> &>(body.mesh()));  // whose nodes stay here
  const std::vector<SurfaceFace> faces = surface.faces({"x-", "x+", "y-", "y+"});
  ASSERT_GE(faces.size(), 4u);
  const FaceShape &shape = *faces.front().shape;
  const std::size_t n = shape.nodes.size();
  std::vector<double> N(n);
  std::vector<FacePlace> dN(n);
  for (std::size_t b = 0; b < n; ++b)
  {
    shape.evaluate(shape.nodes[b], N.data(), nullptr);
    for (std::size_t a = 0; a < n; ++a)
      EXPECT_NEAR(N[a], a == b ? 1. : 0., rounding);
  }
  for (int k = 0; k < 20; ++k)
  {
    const FacePlace s{0.5 + 0.45 * std::sin(3. * k), dim == 2 ? 0. : 0.5 + 0.45 * std::cos(5. * k)};
    shape.evaluate(s, N.data(), dN.data());
    double sum = 0;
    FacePlace place{}, slope_of_one{};
    std::array<FacePlace, 2> slopes{};
    for (std::size_t a = 0; a < n; ++a)
    {
      sum += N[a];
      for (int i = 0; i < dim - 1; ++i)
      {
        place[i] += N[a] * shape.nodes[a][i];
        slope_of_one[i] += dN[a][i];
        for (int j = 0; j < dim - 1; ++j)
          slopes[i][j] += dN[a][j] * shape.nodes[a][i];
      }
    }
    EXPECT_NEAR(sum, 1., rounding);
    for (int i = 0; i < dim - 1; ++i)
    {
      EXPECT_NEAR(place[i], s[i], rounding);
      EXPECT_NEAR(slope_of_one[i], 0., 10. * rounding);
      for (int j = 0; j < dim - 1; ++j)
        EXPECT_NEAR(slopes[i][j], i == j ? 1. : 0., 10. * rounding);
    }
  }
}
}  // namespace

TEST(MovedSurface, ShapeFunctionsReproduceLinearFields)
{
  for (int order = 1; order <= 4; ++order)
  {
    expect_shape_functions<2>(fmt::format("set Order = {}", order));
    expect_shape_functions<3>(fmt::format("set Order = {}", order));
  }
  for (int order = 1; order <= 2; ++order)
    expect_shape_functions<3>(fmt::format("set Cell shape = tetrahedra\nset Order = {}", order));
  expect_shape_functions<3>("set Element = serendipity\nset Order = 2");
}
}  // namespace symdyn::tests::in_moved_surface
