#include <fmt/format.h>

#include <cmath>

#include "elements/lumped/model.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// V = omega²/2 |RᵀR - 1|², R = (e_1, e_2, e_3), e_j three points ("directors") in space: quadratic in the strain G = RᵀR - 1 (Tao and
/// Owhadi 2015, eq. 4.5 with the sign of a penalty).
class Rigidity : public DiscreteTerm
{
public:
  int first = 0;     ///< point e_1; e_2 and e_3 follow
  double omega = 0;  ///< [sqrt(J)]

  double potential(const double *x) const override
  {
    const Strain G = strain(own(x), own(x));
    double V = 0;
    for (const double g : G)
      V += 0.5 * omega * omega * g * g;
    return V;
  }
  /// dV/de_i = 2 omega² sum_j G_ij e_j
  void add_force(const double *x, double *f) const override { add(2. * omega * omega, strain(own(x), own(x)), own(x), own(f)); }
  /// 2 omega² sum_j (G_ij u_j + (e_i·u_j + u_i·e_j) e_j)
  void add_stiffness(const double *x, const double *u, double *Ku) const override { add_product(own(x), own(u), own(Ku)); }
  /// 4 omega² sum_j ((e_i·a_j + a_i·e_j) a_j + (a_i·a_j) e_j)
  void add_third(const double *x, const double *a, double *r) const override
  {
    add(8. * omega * omega, change(own(x), own(a)), own(a), own(r));
    add(4. * omega * omega, products(own(a), own(a)), own(x), own(r));
  }
  /// 2 omega² sum_j (G⁰ + G¹)_ij/2 (e⁰ + e¹)_j/2
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override
  {
    const Strain G = mean(strain(own(x0), own(x0)), strain(own(x1), own(x1)));
    add(omega * omega, G, own(x0), own(f));
    add(omega * omega, G, own(x1), own(f));
  }
  void add_tangent(const double *x, const double weight, const AddEntry &to) const override
  {
    by_columns(weight, to, [&](const double *u, double *r) { add_product(own(x), u, r); });
  }
  void add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &to) const override
  {
    const Strain G = mean(strain(own(x0), own(x0)), strain(own(x1), own(x1)));
    by_columns(weight, to, [&](const double *u, double *r) {
      const Strain dG = change(own(x1), u);
      add(omega * omega, G, u, r);
      add(omega * omega, dG, own(x0), r);
      add(omega * omega, dG, own(x1), r);
    });
  }
  void couple(const std::function<void(int, int)> &join) const override
  {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        join(first + i, first + j);
  }
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override
  {
    if (!selection.keep({first, first + 1, first + 2}))
      return nullptr;
    auto moved = std::make_shared<Rigidity>(*this);
    moved->first = selection.place[first];  // directors stand side by side
    return moved;
  }
  bool quadratic() const override { return true; }
  double scale() const override { return omega * omega; }

private:
  using Strain = std::array<double, 9>;

  /// The nine coordinates; all below is of these.
  template <class Number>
  Number *own(Number *x) const
  {
    return x + 3 * first;
  }
  void add_product(const double *x, const double *u, double *Ku) const
  {
    add(2. * omega * omega, strain(x, x), u, Ku);
    add(4. * omega * omega, change(x, u), x, Ku);
  }

  /// e_i·u_j
  Strain products(const double *x, const double *u) const
  {
    Strain P{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int d = 0; d < 3; ++d)
          P[3 * i + j] += x[3 * i + d] * u[3 * j + d];
    return P;
  }
  Strain strain(const double *x, const double *y) const
  {
    Strain G = products(x, y);
    for (int i = 0; i < 3; ++i)
      G[4 * i] -= 1.;
    return G;
  }
  /// ½ (e_i·u_j + u_i·e_j)
  Strain change(const double *x, const double *u) const
  {
    const Strain P = products(x, u);
    Strain S;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        S[3 * i + j] = 0.5 * (P[3 * i + j] + P[3 * j + i]);
    return S;
  }
  static Strain mean(const Strain &a, const Strain &b)
  {
    Strain S;
    for (int i = 0; i < 9; ++i)
      S[i] = 0.5 * (a[i] + b[i]);
    return S;
  }
  /// f_i += factor sum_j S_ij u_j
  void add(const double factor, const Strain &S, const double *u, double *f) const
  {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int d = 0; d < 3; ++d)
          f[3 * i + d] += factor * S[3 * i + j] * u[3 * j + d];
  }
  template <class Act>
  void by_columns(const double weight, const AddEntry &to, const Act &act) const
  {
    for (int j = 0; j < 9; ++j)
    {
      std::array<double, 9> u{}, r{};
      u[j] = 1.;
      act(u.data(), r.data());
      for (int i = 0; i < 9; ++i)
        to(3 * first + i, 3 * first + j, weight * r[i]);
    }
  }
};

/// Rigid bodies with twelve coordinates: the centre c and the columns e_j of a matrix R, x = c + R X. With the principal moments I_j the
/// kinetic energy is m/2 |c'|² + sum_j E_j/2 |e_j'|², E_j = (I_i + I_k - I_j)/2, the moments of the planes through the centre. R is held on
/// the rotations by the penalty Rigidity, or by constraints (Law = orthonormal).
class RigidBodies : public DiscreteSection
{
public:
  void add_points(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    entries.require(p, model);
    LumpedPoint point;
    point.name = name;
    point.where = p.where();
    point.mass = entries.mass;
    point.fixed = !p.given("Mass");
    std::copy(entries.position.begin(), entries.position.end(), point.position.begin());
    const std::vector<double> rest(3, 0.);
    model.add_point(point, rest, entries.velocity, p);
    point.director_of = model.parts.points.size() - 1;
    point.fixed = false;
    point.rigid = entries.rigidity > 0.;
    const auto &I = entries.inertia;
    for (int j = 0; j < 3; ++j)
    {
      const Place e = turned(entries.rotation, {double(j == 0), double(j == 1), double(j == 2)});
      const std::vector<double> &w = entries.angular_velocity;
      // R' = R Omega^: e_j' = R (Omega x E_j)
      const Place E{double(j == 0), double(j == 1), double(j == 2)};
      const Place rate = turned(entries.rotation, {w[1] * E[2] - w[2] * E[1], w[2] * E[0] - w[0] * E[2], w[0] * E[1] - w[1] * E[0]});
      point.name = fmt::format("{}_{}", name, j + 1);
      point.position = e;
      point.mass = 0.5 * (I[0] + I[1] + I[2]) - I[j];
      if (!(point.mass > 0.))
        p.fail("Inertia",
               fmt::format("moments of a body fulfil the triangle inequality: each is less than the sum of the others; here I_{} is not",
                           j + 1));
      model.add_point(point, rest, {rate.begin(), rate.end()}, p);
    }
    if (entries.rigidity > 0.)
    {
      auto term = std::make_shared<Rigidity>();
      term->name = name;
      term->stiff = true;
      term->first = model.parts.points.size() - 3;
      term->omega = entries.rigidity;
      model.parts.terms.push_back(term);
    }
  }
  void add_terms(const std::string &, Parameters, DiscreteModel &) override {}

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    double mass = 0, rigidity = 0;
    std::vector<double> inertia, position, velocity{0., 0., 0.}, rotation{0., 0., 0.}, angular_velocity{0., 0., 0.};

    void declare(Parameters &p)
    {
      p.add("Mass", mass, "[kg]; without it the centre rests at its position", positive());
      p.add("Inertia", inertia, "principal moments about the centre, along the body's axes [kg m^2]", positive());
      p.add("Position", position, "of the centre [m]");
      p.add("Velocity", velocity, "of the centre [m/s]");
      p.add("Rotation", rotation, "of the body's axes at t = 0, a rotation vector [rad]");
      p.add("Angular velocity", angular_velocity, "components along the body's axes [rad/s]");
      p.add("Rigidity", rigidity, "omega of the penalty omega^2/2 |R^T R - 1|^2, a stiff part of V [sqrt(J)]; 0: none, for constraints",
            not_negative());
    }
    void require(const Parameters &p, const DiscreteModel &model) const
    {
      if (model.dimension() != 3)
        p.fail("", "a rigid body lives in three dimensions. Set Points/Dimension = 3");
      for (const char *entry : {"Inertia", "Position"})
        if (!p.given(entry))
          p.fail(entry, "a rigid body needs it");
      if (p.given("Velocity") && !p.given("Mass"))
        p.fail("Velocity", "has no effect: a centre without Mass rests. Give Mass, or remove the entry");
      for (const auto &[entry, value] : {std::pair{"Inertia", &inertia},
                                         {"Position", &position},
                                         {"Velocity", &velocity},
                                         {"Rotation", &rotation},
                                         {"Angular velocity", &angular_velocity}})
        if (value->size() != 3)
          p.fail(entry, "needs 3 components separated by commas");
    }
  };

  /// Rodrigues' formula.
  static Place turned(const std::vector<double> &r, const Place &x)
  {
    const double angle = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (angle == 0.)
      return x;
    const Place n{r[0] / angle, r[1] / angle, r[2] / angle},
        cross{n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2], n[0] * x[1] - n[1] * x[0]};
    const double along = n[0] * x[0] + n[1] * x[1] + n[2] * x[2], C = std::cos(angle), S = std::sin(angle);
    Place y;
    for (int d = 0; d < 3; ++d)
      y[d] = C * x[d] + S * cross[d] + (1. - C) * along * n[d];
    return y;
  }
};

SYMDYN_REGISTER(DiscreteSection, RigidBodies, "Rigid bodies");
}  // namespace
}  // namespace symdyn
