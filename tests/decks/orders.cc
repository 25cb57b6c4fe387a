#include <gtest/gtest.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <cmath>

#include "elements/models/solid.h"
#include "solver/deck/deck.h"
#include "solver/integrator.h"
#include "solver/parameters.h"

// Orders of convergence on a manufactured finite-strain motion u_i(X, t) = T(t) w_i(X) with inhomogeneous w.
namespace symdyn::tests::in_orders
{
namespace
{
constexpr double E = 10., nu = 0.3, rho = 2.;
const char *const space[3] = {"0.15*sin(2*x + y + 0.3*z)", "0.1*cos(x - 1.5*y + 0.2*z)", "0.12*sin(x + 0.5*y - z)"};

/// w_i with gradient and Hessian: c sin(k·X + s).
struct Wave
{
  double c, k[3], shift;
};
const Wave waves[3] = {{0.15, {2., 1., 0.3}, 0.}, {0.1, {1., -1.5, 0.2}, M_PI / 2.}, {0.12, {1., 0.5, -1.}, 0.}};

template <int dim>
double w(const int i, const dealii::Point<dim> &X)
{
  double phase = waves[i].shift;
  for (int d = 0; d < dim; ++d)
    phase += waves[i].k[d] * X[d];
  return waves[i].c * std::sin(phase);
}

struct TimeFactor
{
  std::string text;
  std::function<Jet<double>(double)> value;
};
const TimeFactor *time_factor = nullptr;

/// b = u'' - Div P / rho, Div P_i = A_iJkL u_k,LJ with A = F D F + delta S: the body force of the manufactured motion.
template <int dim>
class Manufactured : public Load<dim>
{
public:
  void declare(Parameters &) override
  {
    Deck constants = Deck::from_text(fmt::format("set E = {}\nset nu = {}\n", E, nu), "constants");
    Parameters p = constants.root();
    law = Registry<Material>::instance().make("neo-hooke-log");
    law->declare(p);
  }
  void prepare(const Discretisation<dim> &discretisation, const std::function<double(unsigned int)> &) override { mesh = &discretisation; }

  void add_force(const Moment &now, const Vector &, double, Vector &f) const override
  {
    dealii::FEValues<dim> values(*mesh->regions.front().mapping, *mesh->regions.front().family.fe, mesh->regions.front().family.mass_points,
                                 dealii::update_values | dealii::update_quadrature_points | dealii::update_JxW_values);
    for (const auto &cell : mesh->handler.active_cell_iterators())
    {
      values.reinit(cell);
      const auto nodes = mesh->cell_nodes(cell);
      for (const unsigned int q : values.quadrature_point_indices())
      {
        const auto b = body_force(values.quadrature_point(q), now.t);
        for (unsigned int a = 0; a < nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * nodes[a] + d) += rho * b[d] * values.shape_value(a, q) * values.JxW(q);
      }
    }
  }

private:
  dealii::Tensor<1, dim> body_force(const dealii::Point<dim> &X, const double t) const
  {
    const Jet<double> T = time_factor->value(t);
    double F[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}, H[3][3][3] = {};
    for (int i = 0; i < dim; ++i)
      for (int J = 0; J < dim; ++J)
      {
        F[i][J] += T.x * waves[i].k[J] * derivative(i, X);
        for (int L = 0; L < dim; ++L)
          H[i][J][L] = -T.x * waves[i].k[J] * waves[i].k[L] * w<dim>(i, X);
      }
    Symmetric<Wide> C, S;
    for (int I = 0; I < 3; ++I)
      for (int J = I; J < 3; ++J)
        C(I, J) = F[0][I] * F[0][J] + F[1][I] * F[1][J] + F[2][I] * F[2][J];
    Tangent<Wide> D;
    law->tangent(C, S, D);
    const auto m = [](int I, int J) { return Symmetric<Wide>::index(I, J); };
    dealii::Tensor<1, dim> b;
    for (int i = 0; i < dim; ++i)
    {
      double divergence = 0;
      for (int J = 0; J < dim; ++J)
        for (int L = 0; L < dim; ++L)
        {
          divergence += S(J, L)[0] * H[i][L][J];
          for (int k = 0; k < dim; ++k)
            for (int I = 0; I < dim; ++I)
              for (int K = 0; K < dim; ++K)
                divergence += F[i][I] * D(m(I, J), m(K, L))[0] * F[k][K] * H[k][L][J];
        }
      b[i] = T.dd * w<dim>(i, X) - divergence / rho;
    }
    return b;
  }
  /// c cos(phase)
  static double derivative(const int i, const dealii::Point<dim> &X)
  {
    double phase = waves[i].shift + M_PI / 2.;
    for (int d = 0; d < dim; ++d)
      phase += waves[i].k[d] * X[d];
    return waves[i].c * std::sin(phase);
  }

  std::unique_ptr<Material> law;
  const Discretisation<dim> *mesh = nullptr;
};
SYMDYN_REGISTER_LOAD(Manufactured, "manufactured (test)");

/// A body in the unit square or cube whose whole boundary follows the manufactured motion.
template <int dim>
struct Body
{
  Body(const std::string &shape, const int degree, const int cells, const TimeFactor &T)
  {
    time_factor = &T;
    std::string text = fmt::format(
        "subsection Mesh\n set Dimension = {0}\n set Type = box\n set Cell shape = {1}\n set Order = {2}\n set Subdivisions = {3}\nend\n"
        "subsection Materials\n subsection body\n set Type = neo-hooke-log\n set E = {4}\n set nu = {5}\n set Density = {6}\n end\nend\n"
        "subsection Loads\n subsection b\n set Type = manufactured (test)\n end\nend\n"
        "subsection Linear solver\n set Type = mumps\nend\n",
        dim, shape, degree, dim == 2 ? fmt::format("{0}, {0}", cells) : fmt::format("{0}, {0}, {0}", cells), E, nu, rho);
    const auto field = [&](const std::string &factor) {
      std::string components;
      for (int d = 0; d < dim; ++d)
        components += fmt::format("{}({})*({})", d ? ", " : "", factor, dim == 2 ? without_z(d) : space[d]);
      return components;
    };
    const Jet<double> start = T.value(0.);
    text += "subsection Supports\n subsection hull\n set Type = displacement\n set Boundary = x-, x+, y-, y+" +
            std::string(dim == 3 ? ", z-, z+" : "") + "\n set Displacement = " + field(T.text) + "\n end\nend\n" +
            "subsection Initial conditions\n set Displacement = " + field(fmt::format("{:.17g}", start.x)) +
            "\n set Velocity = " + field(fmt::format("{:.17g}", start.d)) + "\nend\n";
    Deck deck = Deck::from_text(text, "manufactured.prm");
    Parameters root = deck.root();
    Parameters mesh = root.section("Mesh");
    int dimension = dim;
    mesh.add("Dimension", dimension, "");
    solid.declare(root);
    deck.finish();
    solid.build();
    newton.tolerance = 1e-12;
    newmark = Registry<Integrator>::instance().make("newmark");
    newmark->newton = &newton;
  }
  static std::string without_z(const int d) { return d == 0 ? "0.15*sin(2*x + y)" : "0.1*cos(x - 1.5*y)"; }

  State run(const double h, const double end)
  {
    State state;
    solid.initialise(state);
    newmark->start(solid.system(), state, h);
    for (int n = 0; n < std::lround(end / h); ++n)
      newmark->step(solid.system(), state, h);
    return state;
  }

  /// ‖x - factor w‖ in L2.
  double error(const Vector &x, const double factor) const
  {
    const Discretisation<dim> &mesh = solid.solid_body().mesh();
    const int degree = mesh.degree();
    dealii::Quadrature<dim> points = dealii::QGauss<dim>(degree + 3);
    if (mesh.triangulation->all_reference_cells_are_simplex())
      points = dealii::QWitherdenVincentSimplex<dim>(4);
    dealii::FEValues<dim> values(*mesh.regions.front().mapping, *mesh.regions.front().family.fe, points,
                                 dealii::update_values | dealii::update_quadrature_points | dealii::update_JxW_values);
    double sum = 0;
    for (const auto &cell : mesh.handler.active_cell_iterators())
    {
      values.reinit(cell);
      const auto nodes = mesh.cell_nodes(cell);
      for (const unsigned int q : values.quadrature_point_indices())
        for (int d = 0; d < dim; ++d)
        {
          double difference = -factor * w<dim>(d, values.quadrature_point(q));
          for (unsigned int a = 0; a < nodes.size(); ++a)
            difference += values.shape_value(a, q) * x.local_element(dim * nodes[a] + d);
          sum += difference * difference * values.JxW(q);
        }
    }
    return std::sqrt(sum);
  }

  Solid<dim> solid;
  Newton newton;
  std::unique_ptr<Integrator> newmark;
};

/// Quadratic in time: average acceleration adds no error of its own to that of space, and the mass takes part.
const TimeFactor quadratic{"t^2", [](double t) { return Jet<double>(t * t, 2. * t, 2.); }};
const TimeFactor wavy{"sin(3*t + 0.4)",
                      [](double t) { return Jet<double>(std::sin(3 * t + 0.4), 3 * std::cos(3 * t + 0.4), -9 * std::sin(3 * t + 0.4)); }};

template <int dim>
void expect_space_order(const std::string &shape, const int degree, const int coarse, const int fine)
{
  const double h = 0.25, end = 1.;
  std::vector<double> errors;
  for (const int cells : {coarse, fine})
  {
    Body<dim> body(shape, degree, cells, quadratic);
    errors.push_back(body.error(body.run(h, end).q, end));
  }
  const double order = std::log(errors[0] / errors[1]) / std::log(double(fine) / coarse);
  EXPECT_NEAR(order, degree + 1, 0.15) << shape << " degree " << degree << ", " << dim << "-D: " << errors[0] << ", " << errors[1];
}

TEST(Orders, SpaceQuadrilaterals)
{
  expect_space_order<2>("hexahedra", 1, 8, 16);
  expect_space_order<2>("hexahedra", 2, 8, 16);
  expect_space_order<2>("hexahedra", 3, 4, 8);
}
TEST(Orders, SpaceTriangles)
{
  expect_space_order<2>("tetrahedra", 1, 8, 16);
  expect_space_order<2>("tetrahedra", 2, 8, 16);
}
TEST(Orders, SpaceHexahedra) { expect_space_order<3>("hexahedra", 1, 4, 8); }
TEST(Orders, SpaceTetrahedra) { expect_space_order<3>("tetrahedra", 1, 3, 6); }
TEST(Orders, SpaceOfHigherDegreeNightly)
{
  expect_space_order<3>("hexahedra", 2, 3, 6);
  expect_space_order<3>("hexahedra", 3, 2, 4);
  expect_space_order<3>("tetrahedra", 2, 2, 4);
}

/// From three steps on one mesh: what space does cancels.
template <int dim>
void expect_time_order(const std::string &shape, const int degree, const double gamma, const double order)
{
  Body<dim> body(shape, degree, 2, wavy);
  Deck deck = Deck::from_text(fmt::format("set gamma = {}\nset beta = {}\n", gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)), "newmark");
  Parameters p = deck.root();
  body.newmark->declare(p);
  const double end = 0.65;  // not a multiple of a period of anything
  std::vector<State> states;
  for (const int steps : {150, 300, 600})  // the highest mode is resolved
    states.push_back(body.run(end / steps, end));
  for (const auto member : {&State::q, &State::v})
  {
    Vector coarse = states[0].*member, fine = states[1].*member;
    coarse -= states[1].*member;
    fine -= states[2].*member;
    EXPECT_NEAR(std::log2(coarse.l2_norm() / fine.l2_norm()), order, 0.15) << (member == &State::q ? "u" : "v");
  }
}
TEST(Orders, Time)
{
  expect_time_order<2>("hexahedra", 2, 0.5, 2.);
  expect_time_order<3>("tetrahedra", 1, 0.5, 2.);
}
TEST(Orders, TimeIsFirstWithNumericalDamping) { expect_time_order<2>("hexahedra", 2, 0.7, 1.); }
}  // namespace
}  // namespace symdyn::tests::in_orders
