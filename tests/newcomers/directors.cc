// A family of elements with directors beside the cells of a body: one file, no edit elsewhere. Tests: directors_tests.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "elements/structure_part.h"
#include "solver/base/units.h"

namespace symdyn::tests::in_newcomer_directors
{

/// Two places x and one director d at each. Strains e = ½ y·A y - c of the present vectors y = (x1, x2, d1, d2), with x' = (x2 - x1)/L,
/// d' = (d2 - d1)/L and D = (d1 + d2)/2,
///     (x'·x' - 1)/2 [-], x'·D - c, x'·d' - c [1/m], d'·d'/2 - c [1/m²], (d_a·d_a - 1)/2,
/// and V = sum over them of k L/2 e² [J]: rotations change no e, so that V keeps P and J, and so does its discrete gradient.
struct Element
{
  static constexpr int n = 4, strains = 6;
  using Vectors = std::array<std::array<double, 3>, n>;
  using Shape = std::array<std::array<double, n>, n>;  ///< A over the vectors, the same for each component

  std::array<SitePlan::Site, n> site{};
  std::array<int, n> local{};
  std::array<Shape, strains> A{};
  std::array<double, strains> k{}, c{};

  /// A(s) y
  Vectors times(const int s, const Vectors &y) const
  {
    Vectors result{};
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        for (int d = 0; d < 3; ++d)
          result[a][d] += A[s][a][b] * y[b][d];
    return result;
  }
  static double dot(const Vectors &x, const Vectors &y)
  {
    double sum = 0;
    for (int a = 0; a < n; ++a)
      for (int d = 0; d < 3; ++d)
        sum += x[a][d] * y[a][d];
    return sum;
  }
  double strain(const int s, const Vectors &y) const { return 0.5 * dot(y, times(s, y)) - c[s]; }
  double energy(const Vectors &y) const
  {
    double V = 0;
    for (int s = 0; s < strains; ++s)
      V += 0.5 * k[s] * std::pow(strain(s, y), 2);
    return V;
  }

  /// A += of (weight_a u_a) (weight_b u_b)
  static void add_product(const double factor, const std::array<double, n> &u, const std::array<double, n> &w, Shape &A)
  {
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        A[a][b] += 0.5 * factor * (u[a] * w[b] + w[a] * u[b]);
  }
};

class DirectorTerm : public Term
{
public:
  DirectorTerm(std::vector<Element> given, const PlannedSites &sites) : space(sites.space())
  {
    for (Element &element : given)
    {
      int owned = 0;
      for (int a = 0; a < Element::n; ++a)
      {
        element.local[a] = sites.local(element.site[a]);
        owned += sites.owns(element.site[a]);
      }
      if (owned > 0)
        touching.push_back(element);
      if (sites.owns(element.site[0]))
        mine.push_back(element);
    }
  }

  Traits traits() const override
  {
    Traits traits;
    traits.quadratic = true;
    return traits;
  }
  double energy(const At &at) const override
  {
    double V = 0;
    for (const Element &element : mine)
      V += element.energy(present(element, *at.q));
    return V;
  }
  double add_force(const At &at, Vector &f) const override
  {
    for (const Element &element : mine)
    {
      const Vectors y = present(element, *at.q);
      for (int s = 0; s < Element::strains; ++s)
        add(element, element.k[s] * element.strain(s, y), element.times(s, y), f);
    }
    return always_admissible;
  }
  double add_discrete_gradient(const At &at, Vector &f) const override
  {
    for (const Element &element : mine)
    {
      const Vectors y0 = present(element, *at.previous), y1 = present(element, *at.q);
      for (int s = 0; s < Element::strains; ++s)
      {
        const double mean = 0.5 * element.k[s] * (element.strain(s, y0) + element.strain(s, y1));
        add(element, 0.5 * mean, element.times(s, y0), f);
        add(element, 0.5 * mean, element.times(s, y1), f);
      }
    }
    return always_admissible;
  }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override
  {
    for (const Element &element : mine)
    {
      const Vectors y = present(element, *at.q), w = values(element, u);
      for (int s = 0; s < Element::strains; ++s)
      {
        const Vectors Ay = element.times(s, y);
        add(element, weights.k * element.k[s] * Element::dot(Ay, w), Ay, r);
        add(element, weights.k * element.k[s] * element.strain(s, y), element.times(s, w), r);
      }
    }
  }
  void add_second_product(const At &at, const Vector &a, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    for (const Element &element : mine)
    {
      const Vectors y = present(element, *at.q), w = values(element, a);
      for (int s = 0; s < Element::strains; ++s)
      {
        const Vectors Ay = element.times(s, y), Aw = element.times(s, w);
        add(element, element.k[s] * Element::dot(Aw, w), Ay, r);
        add(element, 2. * element.k[s] * Element::dot(Ay, w), Aw, r);
      }
    }
  }
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override
  {
    if (weights.k == 0. || at.part != Part::all)
      return;
    for (const Element &element : touching)
    {
      const Vectors y = present(element, *at.q), y0 = at.previous ? present(element, *at.previous) : y;
      for (int s = 0; s < Element::strains; ++s)
      {
        // Of the gradient between y0 and y1: ½ A(y0 + y1) ⊗ ½ A y1 + ½ (e0 + e1) ½ A; where y0 = y1 twice that is V''.
        const double twice = at.previous ? 1. : 2., k = weights.k * element.k[s];
        const double mean = 0.5 * (element.strain(s, y0) + element.strain(s, y));
        const Vectors A0 = element.times(s, y0), A1 = element.times(s, y);
        for (int i = 0; i < 3 * Element::n; ++i)
          for (int j = 0; j < 3 * Element::n; ++j)
          {
            const int a = i / 3, b = j / 3;
            const double middle = 0.5 * (A0[a][i % 3] + A1[a][i % 3]), shape = i % 3 == j % 3 ? 0.5 * mean * element.A[s][a][b] : 0.;
            sink.add(3 * element.local[a] + i % 3, 3 * element.local[b] + j % 3, twice * k * (0.5 * middle * A1[b][j % 3] + shape));
          }
      }
    }
  }
  void couple(const Couple &join) const override
  {
    for (const Element &element : touching)
      for (const int row : element.local)
        for (const int column : element.local)
          join(row, column);
  }
  double energy_scale() const override
  {
    double sum = 0;
    for (const Element &element : mine)
      sum += element.k[0];
    return sum;
  }

private:
  using Vectors = Element::Vectors;
  Vectors values(const Element &element, const Vector &x) const
  {
    Vectors w;
    for (int a = 0; a < Element::n; ++a)
      std::copy_n(x.begin() + 3 * element.local[a], 3, w[a].begin());
    return w;
  }
  Vectors present(const Element &element, const Vector &q) const
  {
    Vectors y = values(element, q);
    for (int a = 0; a < Element::n; ++a)
      for (int d = 0; d < 3; ++d)
        y[a][d] += space->position(element.local[a])[d];
    return y;
  }
  static void add(const Element &element, const double factor, const Vectors &g, Vector &f)
  {
    for (int a = 0; a < Element::n; ++a)
      for (int d = 0; d < 3; ++d)
        f.local_element(3 * element.local[a] + d) += factor * g[a][d];
  }

  std::shared_ptr<const Space> space;
  std::vector<Element> mine, touching;  ///< of which this rank owns the first site; some site
};

/// A straight bar from a node of the body.
class DirectorBar : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override
  {
    deck = p;
    called = name;
    p.add("From", from, "first end: a node of the body [m]");
    p.add("To", to, "other end [m]");
    p.add("Elements", elements, "between them", between(1, 1000));
    p.add("EA", EA, "axial stiffness [N]", positive());
    p.add("GA", GA, "shear stiffness [N]", positive());
    p.add("EI", EI, "bending stiffness [N m^2]", positive());
    p.add("Mass", mass, "of all of it [kg]", positive());
    p.add("Director", director, "unit vector, at rest [-]");
    for (const auto &[entry, value] : {std::pair{"From", &from}, {"To", &to}, {"Director", &director}})
      if (value->size() != 3)
        p.fail(entry, "needs three numbers");
  }
  void plan(SitePlan &plan) override
  {
    const MeshPoints::Node root = plan.mesh().nearest(place(from));
    double off = 0, length = 0;
    for (int d = 0; d < 3; ++d)
    {
      off = std::hypot(off, root.position[d] - from[d]);
      length = std::hypot(length, to[d] - from[d]);
    }
    if (off > 1e-6 * plan.mesh().size())
      deck->fail("From", fmt::format("is no node of the body. The nearest is ({:g}, {:g}, {:g})", root.position[0], root.position[1],
                                     root.position[2]));
    L = length / elements;
    for (int i = 0; i <= elements; ++i)
    {
      Place X{};
      for (int d = 0; d < 3; ++d)
        X[d] = from[d] + double(i) / elements * (to[d] - from[d]);
      places.push_back(i == 0 ? root.number : plan.append({X, false}));
      directors.push_back(plan.append({place(director), true}));
      positions.push_back(X);
    }
    for (int i = 0; i < elements; ++i)
      plan.join({places[i], places[i + 1], directors[i], directors[i + 1]});
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    std::vector<Element> all;
    PartInSystem part;
    for (int i = 0; i < elements; ++i)
    {
      all.push_back(element(i));
      for (const int end : {i, i + 1})
      {
        part.masses.emplace_back(places[end], 0.5 * mass / elements);
        part.masses.emplace_back(directors[end], 0.5 * mass / elements * EI / EA);
      }
    }
    tip = places.back();
    seen = std::make_unique<PlannedSites>(sites);
    part.terms.push_back(std::make_shared<DirectorTerm>(std::move(all), sites));
    return part;
  }
  std::vector<Column> columns(const Units &units) const override { return {{called + ".u_x", units.length, Kind::motion}}; }
  void values(const State &state, std::vector<double> &out) const override
  {
    const double mine = seen->owns(tip) ? state.q.local_element(3 * seen->local(tip)) : 0.;
    out.push_back(dealii::Utilities::MPI::sum(mine, seen->space()->communicator()));
  }
  std::string description() const override { return fmt::format("{} elements with directors", elements); }

private:
  static Place place(const std::vector<double> &x) { return {x[0], x[1], x[2]}; }
  Element element(const int i) const
  {
    Element e;
    e.site = {places[i], places[i + 1], directors[i], directors[i + 1]};
    const std::array<double, 4> along{-1. / L, 1. / L, 0., 0.}, mean{0., 0., 0.5, 0.5}, change{0., 0., -1. / L, 1. / L};
    Element::add_product(1., along, along, e.A[0]);
    Element::add_product(2., along, mean, e.A[1]);
    Element::add_product(2., along, change, e.A[2]);
    Element::add_product(1., change, change, e.A[3]);
    e.A[4][2][2] = e.A[5][3][3] = 1.;
    e.k = {EA * L, GA * L, EI * L, EI * L * L * L, 0.5 * GA * L, 0.5 * GA * L};
    const Element::Vectors rest{positions[i], positions[i + 1], place(director), place(director)};
    for (int s = 0; s < Element::strains; ++s)
      e.c[s] = e.strain(s, rest);
    return e;
  }

  std::optional<Parameters> deck;
  std::string called;
  std::vector<double> from, to, director{1., 0., 0.};
  int elements = 1;
  double EA = 100, GA = 40, EI = 5, mass = 1, L = 0;
  std::vector<SitePlan::Site> places, directors;
  std::vector<Place> positions;
  SitePlan::Site tip = 0;
  std::unique_ptr<PlannedSites> seen;
};
SYMDYN_REGISTER(StructurePart, DirectorBar, "Director bars");
}  // namespace symdyn::tests::in_newcomer_directors
