// A material with a memory: one file, no edit elsewhere. materials/inelastic.h.
#include <deal.II/grid/grid_generator.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/system/cell_stress.h"
#include "materials/elastic_constants.h"
#include "materials/inelastic.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "tests/bodies.h"
#include "tests/linear_decks.h"
#include "tests/materials.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_j2
{
/// Plasticity of von Mises with linear isotropic hardening, of small strains. Variables: plastic strain eps_p (six components, trace 0) and
/// accumulated plastic strain p [-].
///     A = ½ kappa tr² eps + mu |dev eps - eps_p|² + ½ H p²,   h psi = sigma_y dp + ½ (eta/h) dp²,   W_n = min over dp >= 0 of A + h psi
///     [J/m³]
/// along the direction of the trial stress s_tr = 2 mu (dev eps - eps_p,n), q_tr = sqrt(3/2) |s_tr| (Wilkins 1964; Simo, Hughes 1998,
/// box 3.1):
///     dp = max(0, q_tr - sigma_y - H p_n) / (3 mu + H + eta/h),   sigma = kappa tr eps I + (1 - 3 mu dp / q_tr) s_tr
class J2 : public InelasticOf<J2>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Yield stress", yield_stress, "uniaxial, of the virgin material [Pa]", positive());
    p.add("Hardening", hardening, "increase of the yield stress per plastic strain [Pa]", not_negative());
    p.add("Viscosity", viscosity, "of plastic flow: overstress per rate of p [Pa s]", not_negative());
    constants.declare(p);
  }
  bool small_strain() const override { return true; }
  int variables() const override { return 7; }
  void begin(double *m) const override { std::fill_n(m, variables(), 0.); }
  bool depends_on_rates() const override { return viscosity > 0.; }

  template <class T>
  T energy(const Symmetric<T> &C, const Wide *from, const double dt) const
  {
    const Increment<T> step(*this, C, from, dt);
    const T q = step.q_trial - 3. * constants.mu * step.dp, p = constant<T>(from[6]) + step.dp;
    const T shear = select(step.yields, q * q / T(6. * constants.mu), constants.mu * contract(step.e, step.e));
    return 0.5 * constants.kappa * step.trace * step.trace + shear + 0.5 * hardening * p * p + yield_stress * step.dp +
           0.5 * step.drag * step.dp * step.dp;
  }

  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    const Increment<T> step(*this, C, from, dt);
    const double mu = constants.mu;
    const T returned = step.dp / step.q_trial;
    Symmetric<T> S;
    for (int m = 0; m < 6; ++m)
      S[m] = 2. * mu * (T(1.) - 3. * mu * returned) * step.e[m] + (m < 3 ? constants.kappa * step.trace : T(0.));
    for (int m = 0; m < 6 && to; ++m)
      to[m] = constant<T>(from[m]) + 3. * mu * returned * step.e[m];
    if (to)
      to[6] = constant<T>(from[6]) + step.dp;
    return S;
  }

private:
  template <class T>
  struct Increment
  {
    Increment(const J2 &law, const Symmetric<T> &C, const Wide *from, const double dt)
    {
      for (int m = 0; m < 6; ++m)
        e[m] = 0.5 * (m < 3 ? T(C[m] - T(1.)) : C[m]);
      trace = e[0] + e[1] + e[2];
      for (int m = 0; m < 6; ++m)
        e[m] -= (m < 3 ? T((1. / 3.) * trace) : T(0.)) + constant<T>(from[m]);
      const T limit = T(law.yield_stress) + law.hardening * constant<T>(from[6]);
      const T square = 6. * law.constants.mu * law.constants.mu * contract(e, e);
      yields = positive(dt > 0. ? T(square - limit * limit) : T(0.));
      q_trial = sqrt(select(yields, square, T(1.)));  // where nothing yields q_tr may be 0, and nothing needs it
      drag = dt > 0. ? law.viscosity / dt : 0.;
      dp = select(yields, T(1. / (3. * law.constants.mu + law.hardening + drag)) * (q_trial - limit), T(0.));
    }
    Symmetric<T> e;  ///< elastic trial strain, deviator
    T trace, q_trial, dp;
    double drag;  ///< eta / h [Pa]
    Wide::Bits yields;
  };

  ElasticConstants constants;
  double yield_stress = 0, hardening = 0, viscosity = 0;
};
SYMDYN_REGISTER(Material, J2, "newcomer-j2");

constexpr double sigma_y = 4., H = 100.;  // with E and nu of tests/materials.h

std::string j2_material(const std::string &name, const std::string &more = "")
{
  return subsection(
      name, "set Type = newcomer-j2\nset Density = 1000\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\nset Hardening = 100\n" + more);
}

std::string box(const int dim, const std::string &cells, const std::string &shape, const int degree, const double distortion)
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

template <int dim>
void test_derivatives(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector plastic = motion(body, 2), elastic = moved(motion(body, 1), -0.1, motion(body, 1));
  for (const Vector *q : {&plastic, &elastic})
  {
    const bool exact = q == &elastic;
    const Vector w = Random(4).vector(*q, exact ? 0.002 : 0.1);  // no further yielding
    const Vector f = driven.force(driven.at(*q)), Kw = driven.product(*q, w);
    expect_slope_two(
        [&](const double h) { return std::abs((driven.energy(moved(*q, h, w)) - driven.energy(moved(*q, -h, w))) / (2. * h) - f * w); },
        0.004, exact, 1e-9 * std::abs(f * w));
    const auto difference = [&](const auto &of, const double h) {
      Vector d = of(moved(*q, h, w));
      d -= of(moved(*q, -h, w));
      d *= 0.5 / h;
      return d;
    };
    expect_slope_two(
        [&](const double h) { return distance(difference([&](const Vector &x) { return driven.force(driven.at(x)); }, h), Kw); }, 0.004,
        exact, 1e-9 * Kw.l2_norm());
    Vector third = body.mesh().new_vector();
    driven.term.add_second_product(driven.at(*q), w, third);
    EXPECT_EQ(third.l2_norm() < 1e-10 * Kw.l2_norm(), exact);
    expect_slope_two([&](const double h) { return distance(difference([&](const Vector &x) { return driven.product(x, w); }, h), third); },
                     0.004, exact, 1e-8 * Kw.l2_norm());
  }
}

TEST(NewcomerJ2, DerivativesOfTheIncrementHaveSlopeTwo)
{
  for_each_body<2>(test_derivatives<2>);
  for_each_body<3>(test_derivatives<3>);
}

template <int dim>
void test_matrix(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector q = motion(body, 2), w = Random(4).vector(q, 0.1), Kw = driven.product(q, w);
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A, D;
  A.allocate(pattern);
  TangentAssembly<dim>::clear(A);
  driven.term.add_matrix(driven.at(q), K, {A});
  Vector Aw = body.mesh().new_vector();
  A.multiply(w, Aw);
  EXPECT_LT(distance(Aw, Kw), 1e-12 * Kw.l2_norm());  // on several ranks: ghost cells have their history
  const BlockPattern diagonal = BlockPattern::diagonal(dim, pattern.nodes);
  D.allocate(diagonal);
  TangentAssembly<dim>::clear(D);
  driven.term.add_diagonal(driven.at(q), K, D);
  const std::vector<double> of_A = TangentAssembly<dim>::diagonal(A), of_D = TangentAssembly<dim>::diagonal(D);
  for (std::size_t i = 0; i < of_A.size(); ++i)
    EXPECT_NEAR(of_D[i], of_A[i], 1e-12 * of_A[i]);
}

TEST(NewcomerJ2, MatricesAreThoseOfTheIncrement)
{
  for_each_body<2>(test_matrix<2>);
  for_each_body<3>(test_matrix<3>);
}

/// Between a state inside of the yield surface and one far outside of it.
template <int dim>
void test_discrete_gradient(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector q0 = moved(motion(body, 1), -0.1, motion(body, 1)), q1 = motion(body, 2), w = Random(4).vector(q1, 0.1);
  At where = driven.at(q1);
  where.previous = &q0;
  const auto gradient = [&](const Vector &q) {
    At here = where;
    here.q = &q;
    Vector sum = body.mesh().new_vector();
    driven.term.add_discrete_gradient(here, sum);
    return sum;
  };
  const Vector f = gradient(q1);
  const double work = f * moved(q1, -1., q0), change = driven.energy(q1) - driven.energy(q0);
  EXPECT_NEAR(work, change, 1e-12 * std::abs(change));
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A;
  A.allocate(pattern);
  TangentAssembly<dim>::clear(A);
  driven.term.add_matrix(where, K, {A});
  Vector Aw = body.mesh().new_vector();
  A.multiply(w, Aw);
  expect_slope_two(
      [&](const double h) {
        Vector d = gradient(moved(q1, h, w));
        d -= gradient(moved(q1, -h, w));
        d *= 0.5 / h;
        return distance(d, Aw);
      },
      0.004, false, 1e-10 * Aw.l2_norm());
}

TEST(NewcomerJ2, ADiscreteGradientDoesTheWorkOfTheIncrement)
{
  for_each_body<2>(test_discrete_gradient<2>);
  for_each_body<3>(test_discrete_gradient<3>);
}

/// Of the volume: ∫ of a variable over the quadrature points.
template <int dim>
double integral(const Driven<dim> &driven,
                const std::function<double(const std::vector<Wide> &before, const std::vector<Wide> &after)> &density)
{
  const Discretisation<dim> &mesh = driven.body.mesh();
  const CellRegion<dim> &region = mesh.regions.front();
  dealii::FEValues<dim> values(*region.mapping, *region.family.fe, region.family.stiffness_points, dealii::update_JxW_values);
  double sum = 0;
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    values.reinit(cell);
    for (const unsigned int q : values.quadrature_point_indices())
    {
      const auto before = driven.term.layout().at(cell->active_cell_index(), q, driven.accepted());
      const auto after = driven.term.layout().at(cell->active_cell_index(), q, reinterpret_cast<const double *>(driven.to.data()));
      sum += values.JxW(q) * density(before, after) * (dim == 2 ? 0.3 : 1.);
    }
  }
  return sum;
}

template <int dim>
void test_dissipation(const Body<dim> &body)
{
  Driven<dim> driven(body);
  for (int step = 1; step < 4; ++step)
  {
    const Vector q = motion(body, step);
    At where = driven.at(q);
    where.to = driven.next();
    driven.force(where);
    const double W = driven.energy(q), A = driven.term.energy({0., &q, nullptr, nullptr, Part::all, driven.next(), 0.});
    const double dissipated =
        integral<dim>(driven, [](const auto &before, const auto &after) { return sigma_y * (after[6][0] - before[6][0]); });
    EXPECT_GT(dissipated, 0.02 * W);
    EXPECT_NEAR(W - A, dissipated, 1e-13 * W);
    driven.from.swap(driven.to);
  }
}

TEST(NewcomerJ2, ThePotentialOfAnIncrementIsEnergyAndDissipation)
{
  for_each_body<2>(test_dissipation<2>);
  for_each_body<3>(test_dissipation<3>);
}

/// sigma_11 of a cell that is stretched along x alone: eps -> (P, p), P = eps_p,11, yielding where 2 mu eps - 3 mu P = ±(sigma_y + H p).
struct Uniaxial
{
  double P = 0, p = 0;
  double strain_to(const double eps)
  {
    const double over = 2. * mu * eps - 3. * mu * P, limit = sigma_y + H * p;
    if (std::abs(over) > limit)
    {
      const double dp = (std::abs(over) - limit) / (3. * mu + H);
      P += over > 0. ? dp : -dp;
      p += dp;
    }
    return kappa * eps + 2. * mu * (2. / 3. * eps - P);
  }
};

TEST(NewcomerJ2, ACycleOfStretchIsTheClosedForm)
{
  const Body<3> body(box(3, "1, 1, 1", "hexahedra", 1, 0.) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  Uniaxial exact;
  double plastic_work = 0, dissipated = 0;
  const double ends[] = {0.02, -0.015, 0.03};
  double eps = 0;
  for (const double end : ends)
  {
    const double start = eps;
    constexpr int increments = 7;
    for (int i = 1; i <= increments; ++i)
    {
      eps = start + (end - start) * i / increments;
      const Vector q = body.nodal([&](const auto &X) { return eps * X[0] * dealii::Tensor<1, 3>({1., 0., 0.}); });
      const Uniaxial before = exact;
      const double sigma = exact.strain_to(eps), W = driven.energy(q);
      const auto pull = [&](const Vector &f) {
        double sum = 0;
        for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
          sum += body.mesh().position[node][0] > 0.5 ? f.local_element(3 * node) : 0.;
        return sum;
      };
      EXPECT_NEAR(pull(driven.accept(q)), sigma, 1e-11 * E * 0.03);
      EXPECT_NEAR(pull(driven.force(driven.at(q, 0.))), sigma, 1e-11 * E * 0.03) << "frozen: the stress of the state";
      EXPECT_NEAR(pull(driven.force(driven.at(q))), sigma, 1e-11 * E * 0.03) << "an increment that does not move";
      dissipated += W - driven.energy(q, 0.);
      // ∫ sigma : d eps_p = ∫ (sigma_y + H p) dp of the radial return.
      plastic_work += (sigma_y + 0.5 * H * (exact.p + before.p)) * (exact.p - before.p);
    }
  }
  EXPECT_GT(exact.p, 0.04);
  EXPECT_NEAR(dissipated, sigma_y * exact.p, 1e-12);
  EXPECT_NEAR(dissipated, plastic_work - 0.5 * H * exact.p * exact.p, 1e-12) << "the rest is stored by hardening";
  const std::vector<Wide> m = driven.term.layout().at(0, 3, driven.accepted());
  EXPECT_NEAR(m[0][0], exact.P, 1e-13);
  EXPECT_NEAR(m[1][0], -0.5 * exact.P, 1e-13);
  EXPECT_NEAR(m[6][0], exact.p, 1e-13);
}

/// Without a history: of the virgin body, and elastic where dt is 0.
TEST(NewcomerJ2, StartsVirgin)
{
  const Body<3> body(box(3, "2, 1, 1", "hexahedra", 1, 0.1) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  const Vector q = motion(body, 1);
  At where = driven.at(q);
  const Vector f = driven.force(where);
  where.from = nullptr;
  EXPECT_EQ(distance(driven.force(where), f), 0.);
  where.dt = 0.;
  const Body<3> elastic(box(3, "2, 1, 1", "hexahedra", 1, 0.1) + made_of("linear-elasticity"));
  Vector f_elastic = body.mesh().new_vector();
  elastic.fem().cells()->add_force({0., &q}, f_elastic);
  EXPECT_LT(distance(driven.force(where), f_elastic), 1e-12 * f_elastic.l2_norm());
  EXPECT_GT(distance(f, f_elastic), 0.5 * f_elastic.l2_norm());
  EXPECT_FALSE(driven.term.traits().linear);
  EXPECT_TRUE(driven.term.traits().history);
  EXPECT_FALSE(elastic.fem().cells()->traits().history);
  EXPECT_EQ(elastic.fem().cells()->history_size(), 0u);
}

TEST(NewcomerJ2, BlocksOfCellsRestoreAllLanes)
{
  for (const std::string cells : {"1, 1, 1", "5, 3, 2"})
  {
    const Body<3> body(box(3, cells, "hexahedra", 1, 0.1) + subsection("Materials", j2_material("body")));
    Driven<3> driven(body);
    driven.accept(motion(body, 1));
    const auto blocks = driven.term.history_blocks();
    EXPECT_EQ(blocks.owned, body.mesh().n_cells());
    EXPECT_EQ(blocks.doubles, 8 * 7);
    EXPECT_EQ(std::set<std::uint64_t>(blocks.identities.begin(), blocks.identities.end()).size(), blocks.owned);
    std::vector<double> packed;
    driven.term.pack_history(driven.accepted(), packed);
    ASSERT_EQ(packed.size(), blocks.owned * blocks.doubles);
    driven.term.unpack_history(packed, driven.next());
    EXPECT_TRUE(std::equal(driven.accepted(), driven.accepted() + driven.term.history_size(), driven.next()));
  }
}

/// Two rows of cells: below a material with a memory, above one without.
TEST(NewcomerJ2, CellsOfOtherLawsHaveNoHistory)
{
  CoarseMesh<2> coarse;
  dealii::GridGenerator::subdivided_hyper_rectangle(coarse.cells, {5u, 2u}, {0., 0.}, {5., 2.});
  for (const auto &cell : coarse.cells.active_cell_iterators())
    cell->set_material_id(cell->center()[1] > 1. ? 1 : 0);
  coarse.materials = {{0, "yields"}, {1, "springs"}};
  const auto mesh = std::make_shared<Discretisation<2>>(std::move(coarse), 1, 0);
  const std::string constants = "set E = 1000\nset nu = 0.3\n";
  const std::shared_ptr<const Material> yields = make("newcomer-j2", constants + "set Yield stress = 4\nset Hardening = 100"),
                                        springs = make("linear-elasticity", constants);
  const SolidTerm<2> term(mesh, {{0, {"yields", yields, 1.}}, {1, {"springs", springs, 1.}}}, {}),
      springs_alone(mesh, {{0, {"yields", springs, 1.}}, {1, {"springs", springs, 1.}}}, {});
  EXPECT_EQ(term.history_blocks().owned, 5u);
  EXPECT_EQ(term.history_size(), std::size_t((5 + lanes - 1) / lanes * lanes * 4 * 7));
  Vector q = mesh->new_vector(), f = q, f_springs = q;
  for (int i = 0; i < 2 * mesh->n_owned_nodes(); ++i)
    q.local_element(i) = 0.1 * std::sin(3. * i);
  q.update_ghost_values();
  std::vector<Wide> to(term.history_size() / lanes);
  term.add_force({0., &q, nullptr, nullptr, Part::all, nullptr, 1., reinterpret_cast<double *>(to.data())}, f);
  springs_alone.add_force({0., &q}, f_springs);
  for (int node = 0; node < mesh->n_owned_nodes(); ++node)
    for (int d = 0; d < 2; ++d)
    {
      const double change = std::abs(f.local_element(2 * node + d) - f_springs.local_element(2 * node + d));
      const double y = mesh->position[node][1];
      EXPECT_TRUE(y > 1.5 ? change < 1e-13 : y > 0.5 || change > 0.1) << y << ": " << change;
    }
  for (const auto &cell : mesh->handler.active_cell_iterators())
    EXPECT_EQ(term.layout().at(cell->active_cell_index(), 0, reinterpret_cast<const double *>(to.data())).size(),
              cell->material_id() == 0 ? 7u : 0u);
}

TEST(NewcomerJ2, ReportsUseTheHistoryOfTheState)
{
  const Body<3> body(box(3, "1, 1, 1", "hexahedra", 1, 0.) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  const Vector q = body.nodal([&](const auto &X) { return 0.02 * X[0] * dealii::Tensor<1, 3>({1., 0., 0.}); });
  driven.accept(q);
  const double sigma = Uniaxial().strain_to(0.02);
  const CellStress<3> stress(
      body.fem(), [](const CellRegion<3> &region) { return dealii::Quadrature<3>(region.family.fe->get_unit_support_points()); });
  int points = 0;
  const auto check = [&](const auto &, const auto &, const auto &, const std::vector<PointStress> &at) {
    for (const PointStress &point : at)
    {
      EXPECT_NEAR(point.stress[0][0], sigma, 1e-11);
      ++points;
    }
  };
  State state;
  state.q = q;
  state.history = driven.history();
  stress.visit(state, false, check);
  EXPECT_EQ(points, 8);
  Vector f = body.mesh().new_vector();
  body.fem().strain_force(state, f);
  EXPECT_LT(distance(f, driven.force(driven.at(q, 0.))), 1e-14);
}

TEST(NewcomerJ2, ElementsThatCannotIntegrateItAreRefused)
{
  for (const std::string element : {"mean-dilatation", "incompatible-modes"})
    try
    {
      Body<3> body(subsection("Mesh", "set Type = box\nset Element = " + element + "\n" + subsection("box", "set Size = 1, 1, 1")) +
                   subsection("Materials", j2_material("body")));
      ADD_FAILURE() << element;
    }
    catch (const InputError &error)
    {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind("test.prm:", 0), 0u) << message;
      for (const std::string words : {"'body' has a memory", "newcomer-j2", "Set Element = standard"})
        EXPECT_NE(message.find(words), std::string::npos) << message;
    }
}

}  // namespace symdyn::tests::in_newcomer_j2
