#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "elements/lumped/formula_potential.h"
#include "elements/lumped/model.h"
#include "solver/deck/formula/expression_series.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// The slopes e[order] in all n coordinates of a formula on the line z + s a (a = nullptr: 0), `lanes` at once.
template <int order, int lanes>
void slopes_by(const Expression &expression, const int n, const double *z, const double *a, double *result)
{
  using Scalar = Series<order, lanes>;
  std::vector<Scalar> at(n);
  for (int first = 0; first < n; first += lanes)
  {
    const int last = std::min(n, first + lanes);
    for (int i = 0; i < n; ++i)
    {
      at[i] = Scalar(z[i]);
      if constexpr (order > 0)
        at[i].c[1] = a[i];
      if (i >= first && i < last)
        at[i].e[0][i - first] = 1.;
    }
    const Scalar value = expression(at.data());
    std::copy(value.e[order], value.e[order] + (last - first), result + first);
  }
}

/// One point in 1, 2, 3 dimensions, or a pair in space: one evaluation each.
template <int order>
void slopes(const Expression &expression, const int n, const double *z, const double *a, double *result)
{
  (n <= 1   ? slopes_by<order, 1>
   : n == 2 ? slopes_by<order, 2>
   : n == 3 ? slopes_by<order, 3>
            : slopes_by<order, 6>)(expression, n, z, a, result);
}

double formula_product(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Room for the numbers of one set, without an allocation where they are few.
class Few
{
public:
  explicit Few(const int n) : many(n > int(few.size()) ? n : 0) {}
  double *data() { return many.empty() ? few.data() : many.data(); }

private:
  std::array<double, 16> few;
  std::vector<double> many;
};
}  // namespace

void Formula::gradient(const double *z, double *g) const { slopes<0>(expression, variables(), z, nullptr, g); }

void Formula::hessian_times(const double *z, const double *u, double *Hu) const { slopes<1>(expression, variables(), z, u, Hu); }

void Formula::third(const double *z, const double *a, double *r) const
{
  slopes<2>(expression, variables(), z, a, r);
  for (int i = 0; i < variables(); ++i)
    r[i] *= 2.;
}

void Formula::hessian(const double *z, double *H) const
{
  const int n = variables();
  std::vector<double> e(n, 0.);
  for (int i = 0; i < n; ++i)
  {
    e[i] = 1.;
    hessian_times(z, e.data(), H + i * n);
    e[i] = 0.;
  }
}

int Formula::kink(const double *z) const
{
  constexpr double distance = 1e-7, nearer = 1e-3, rounding = 1e-9;
  const int n = variables();
  for (int i = 0; i < n; ++i)
  {
    const double size = distance * std::max(1., std::abs(z[i]));
    // Value and slopes, by their jumps across z at both distances, and by their size.
    std::vector<double> jump[2], scale(n + 1, 0.);
    for (const int k : {0, 1})
    {
      jump[k].assign(n + 1, 0.);
      for (const double side : {1., -1.})
      {
        std::vector<double> at(z, z + n), slope(n + 1);
        at[i] += side * size * (k == 0 ? 1. : nearer);
        slope[n] = value(at.data());
        gradient(at.data(), slope.data());
        for (int j = 0; j <= n; ++j)
        {
          jump[k][j] += side * slope[j];
          scale[j] = std::max(scale[j], std::abs(slope[j]));
        }
      }
    }
    for (int j = 0; j <= n; ++j)
      if (!std::isfinite(jump[1][j]) || (std::abs(jump[1][j]) > 0.5 * std::abs(jump[0][j]) && std::abs(jump[1][j]) > rounding * scale[j]))
        return i;
  }
  return -1;
}

/// g = gradient + c dz with c = N/|dz|², N = f(z1) - f(z0) - gradient·dz.
struct Formula::Quotient
{
  std::vector<double> middle, dz, gradient;
  double N = 0, dz_dz = 0;
  bool series = false;  ///< N is rounding alone; its first term f'''[dz, dz, dz]/24 is used
};

Formula::Quotient Formula::quotient(const double *z0, const double *z1) const
{
  const int n = variables();
  Quotient r;
  r.middle.resize(n);
  r.dz.resize(n);
  r.gradient.resize(n);
  for (int i = 0; i < n; ++i)
  {
    r.middle[i] = 0.5 * (z0[i] + z1[i]);
    r.dz[i] = z1[i] - z0[i];
  }
  gradient(r.middle.data(), r.gradient.data());
  r.dz_dz = formula_product(r.dz, r.dz);
  const double f0 = expression(z0), f1 = expression(z1), work = formula_product(r.gradient, r.dz);
  r.N = f1 - f0 - work;
  constexpr double rounding = 16. * std::numeric_limits<double>::epsilon();
  r.series = r.dz_dz == 0. || std::abs(r.N) <= rounding * (std::abs(f0) + std::abs(f1));
  if (r.series)
  {
    std::vector<double> bend(n);
    third(r.middle.data(), r.dz.data(), bend.data());
    r.N = formula_product(bend, r.dz) / 24.;
  }
  return r;
}

void Formula::discrete_gradient(const double *z0, const double *z1, double *g) const
{
  const Quotient r = quotient(z0, z1);
  for (int i = 0; i < variables(); ++i)
    g[i] = r.gradient[i] + (r.dz_dz > 0. ? r.N / r.dz_dz * r.dz[i] : 0.);
}

void Formula::discrete_hessian(const double *z0, const double *z1, double *H) const
{
  const int n = variables();
  const Quotient r = quotient(z0, z1);
  std::vector<double> slope(n);  // d N/d z1
  hessian(r.middle.data(), H);
  if (r.series)
  {
    third(r.middle.data(), r.dz.data(), slope.data());
    for (double &value : slope)
      value /= 8.;
  }
  else
  {
    std::vector<double> Hdz(n);
    gradient(z1, slope.data());
    hessian_times(r.middle.data(), r.dz.data(), Hdz.data());
    for (int i = 0; i < n; ++i)
      slope[i] -= r.gradient[i] + 0.5 * Hdz[i];
  }
  const double c = r.dz_dz > 0. ? r.N / r.dz_dz : 0.;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
    {
      double &value = H[i * n + j];
      value = 0.5 * value + (i == j ? c : 0.);
      if (r.dz_dz > 0.)
        value += r.dz[i] * (slope[j] - 2. * c * r.dz[j]) / r.dz_dz;
    }
}

template <class... Arrays, class Act>
void FormulaPotential::for_sets(double *result, const Act &act, const Arrays *...x) const
{
  const int n = formula.variables();
  Few r(n);
  std::array<Few, sizeof...(x)> z{(static_cast<void>(x), Few(n))...};
  const std::array<const double *, sizeof...(x)> from{x...};
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
  {
    for (std::size_t a = 0; a < z.size(); ++a)
      for (int i = 0; i < n; ++i)
        z[a].data()[i] = from[a][dofs[i]];
    act(z, r.data());
    for (int i = 0; i < n; ++i)
      result[dofs[i]] += r.data()[i];
  }
}

template <class Act>
void FormulaPotential::for_blocks(const double weight, const AddEntry &add, const Act &act) const
{
  const int n = formula.variables();
  std::vector<double> H(n * n);
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
  {
    act(dofs, H.data());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        add(dofs[i], dofs[j], weight * H[i * n + j]);
  }
}

double FormulaPotential::potential(const double *x) const
{
  const int n = formula.variables();
  Few z(n);
  double V = 0;
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
  {
    for (int i = 0; i < n; ++i)
      z.data()[i] = x[dofs[i]];
    V += formula.value(z.data());
  }
  return V;
}

void FormulaPotential::add_force(const double *x, double *f) const
{
  for_sets(
      f, [&](auto &z, double *r) { formula.gradient(z[0].data(), r); }, x);
}

void FormulaPotential::add_stiffness(const double *x, const double *u, double *Ku) const
{
  for_sets(
      Ku, [&](auto &z, double *r) { formula.hessian_times(z[0].data(), z[1].data(), r); }, x, u);
}

void FormulaPotential::add_third(const double *x, const double *a, double *r) const
{
  for_sets(
      r, [&](auto &z, double *of) { formula.third(z[0].data(), z[1].data(), of); }, x, a);
}

void FormulaPotential::add_discrete_gradient(const double *x0, const double *x1, double *f) const
{
  for_sets(
      f, [&](auto &z, double *r) { formula.discrete_gradient(z[0].data(), z[1].data(), r); }, x0, x1);
}

void FormulaPotential::add_tangent(const double *x, const double weight, const AddEntry &add) const
{
  const int n = formula.variables();
  std::vector<double> z(n);
  for_blocks(weight, add, [&](const int *dofs, double *H) {
    for (int i = 0; i < n; ++i)
      z[i] = x[dofs[i]];
    formula.hessian(z.data(), H);
  });
}

void FormulaPotential::add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const
{
  const int n = formula.variables();
  std::vector<double> z0(n), z1(n);
  for_blocks(weight, add, [&](const int *dofs, double *H) {
    for (int i = 0; i < n; ++i)
    {
      z0[i] = x0[dofs[i]];
      z1[i] = x1[dofs[i]];
    }
    formula.discrete_hessian(z0.data(), z1.data(), H);
  });
}

void FormulaPotential::couple(const std::function<void(int, int)> &join) const
{
  const int n = formula.variables();
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        join(dofs[i] / dimension, dofs[j] / dimension);
}

std::shared_ptr<const DiscreteTerm> FormulaPotential::selected(const PointSelection &selection) const
{
  auto some = std::make_shared<FormulaPotential>(*this);
  some->coordinates.clear();
  const int n = formula.variables();
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
  {
    std::vector<int> points;
    for (int i = 0; i < n; ++i)
      points.push_back(dofs[i] / dimension);
    for (int i = 0; i < n && selection.keep(points); ++i)
      some->coordinates.push_back(dimension * selection.place[points[i]] + dofs[i] % dimension);
  }
  return some;
}

std::string FormulaPotential::diagnose(const double *x, const std::vector<std::string> &points) const
{
  const int n = formula.variables();
  std::vector<double> z(n), g(n);
  for (const int *dofs = coordinates.data(), *const end = dofs + coordinates.size(); dofs != end; dofs += n)
  {
    for (int i = 0; i < n; ++i)
      z[i] = x[dofs[i]];
    formula.gradient(z.data(), g.data());
    for (int i = 0; i < n; ++i)
      if (!std::isfinite(g[i]))
        return fmt::format("the force of potential '{}' on point '{}' is not finite", name, points[dofs[i] / dimension]);
  }
  return "";
}

namespace
{
/// Formulas of coordinates, the user's own.
class Potentials : public DiscreteSection
{
public:
  void add_terms(const std::string &name, Parameters p, DiscreteModel &model) override
  {
    Entries entries;
    entries.declare(p);
    if (!p.given("Expression"))
      p.fail("Expression", "a potential needs its formula [J]");
    auto term = std::make_shared<FormulaPotential>();
    term->name = name;
    term->stiff = entries.stiff;
    term->dimension = model.dimension();
    entries.places.complete(entries.text, model, p, term->formula.expression, term->coordinates);
    model.parts.terms.push_back(term);
  }

  void document(Parameters p) override { Entries().declare(p); }

private:
  struct Entries
  {
    std::string text;
    FormulaPlaces places;
    bool stiff = false;

    void declare(Parameters &p)
    {
      p.add("Expression", text, "V [J], a formula of present coordinates NAME.x, NAME.y, NAME.z; of x, y, z if there is one point");
      places.declare(p, "V is summed over");
      p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
    }
  };
};

SYMDYN_REGISTER(DiscreteSection, Potentials, "Potentials");
}  // namespace
}  // namespace symdyn
