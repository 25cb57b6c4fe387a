// Contact of two boxes, with a search for neighbours and couplings that change: one file, no edit elsewhere. Tests: contact_tests.cc.
#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "elements/structure_part.h"

namespace symdyn::tests::in_newcomer_contact
{

namespace MPI = dealii::Utilities::MPI;

/// phi(r) = k (R - r)^4 where r < R, else 0 [J]: three continuous derivatives.
struct Repulsion
{
  double k, R;

  double gap(const double r) const { return std::max(R - r, 0.); }
  double energy(const double r) const { return k * std::pow(gap(r), 4); }
  double first(const double r) const { return -4. * k * std::pow(gap(r), 3); }
  double second(const double r) const { return 12. * k * std::pow(gap(r), 2); }
  double third(const double r) const { return -24. * k * gap(r); }
  /// (phi(r1) - phi(r0))/(r1 - r0), and its derivative by r1.
  std::pair<double, double> divided(const double r0, const double r1) const
  {
    const double g0 = gap(r0), g1 = gap(r1), s = g0 + g1;
    if (g0 == 0. && g1 == 0.)
      return {0., 0.};
    if (g0 > 0. && g1 > 0.)
      return {-k * (g0 * g0 + g1 * g1) * s, k * (2. * g1 * s + g0 * g0 + g1 * g1)};
    const double slope = (energy(r1) - energy(r0)) / (r1 - r0);
    return {slope, (first(r1) - slope) / (r1 - r0)};
  }
};

using Three = std::array<double, 3>;
double dot(const Three &a, const Three &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Every node of one surface repels every node of the other.
class ContactTerm : public Term
{
public:
  ContactTerm(const Repulsion law, const double margin, const std::array<std::vector<SitePlan::Site>, 2> &surfaces,
              const PlannedSites &sites)
      : law(law), margin(margin), space(sites.space())
  {
    for (int side = 0; side < 2; ++side)
      for (const SitePlan::Site site : surfaces[side])
        nodes[side].push_back(sites.local(site));
    for (int side = 0; side < 2; ++side)  // a rank that owns no node of either surface does not know all of them
      if (std::count(nodes[side].begin(), nodes[side].end(), -1) > 0)
        nodes = {};
    Vector undeformed = space->new_vector();
    undeformed.update_ghost_values();
    search(undeformed);
  }

  Traits traits() const override
  {
    Traits traits;
    traits.searches = true;
    return traits;
  }
  double energy(const At &at) const override
  {
    double V = 0;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
        V += law.energy(length(between(pair, *at.q)));
    return V;
  }
  double add_force(const At &at, Vector &f) const override
  {
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q);
        const double r = length(d);
        add(pair, law.first(r) / r, d, f);
      }
    return always_admissible;
  }
  /// (phi1 - phi0)/(r1² - r0²) (d0 + d1), d between the nodes: keeps the momenta.
  double add_discrete_gradient(const At &at, Vector &f) const override
  {
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d0 = between(pair, *at.previous), d1 = between(pair, *at.q);
        const double r0 = length(d0), r1 = length(d1), c = law.divided(r0, r1).first / (r0 + r1);
        add(pair, c, d0, f);
        add(pair, c, d1, f);
      }
    return always_admissible;
  }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q), w = difference(pair, u);
        const double l = length(d), s = dot(d, w) / l, beta = law.first(l) / l;
        add(pair, weights.k * (law.second(l) - beta) * s / l, d, r);
        add(pair, weights.k * beta, w, r);
      }
  }
  void add_second_product(const At &at, const Vector &a, Vector &r) const override
  {
    if (at.part != Part::all)
      return;
    for (const Pair &pair : pairs)
      if (owns(pair[0]))
      {
        const Three d = between(pair, *at.q), w = difference(pair, a);
        const double l = length(d), s = dot(d, w) / l, alpha = law.second(l) - law.first(l) / l;
        add(pair, (law.third(l) * s * s + alpha * (dot(w, w) - 3. * s * s) / l) / l, d, r);
        add(pair, 2. * alpha * s / l, w, r);
      }
  }
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override
  {
    if (at.part != Part::all || weights.k == 0.)
      return;
    for (const Pair &pair : pairs)
    {
      const Three d = between(pair, *at.q), d0 = at.previous ? between(pair, *at.previous) : d;
      const double l = length(d), l0 = length(d0);
      double unit = law.first(l) / l, outer = (law.second(l) - unit) / (l * l);
      if (at.previous)
      {
        const auto [slope, change] = law.divided(l0, l);
        unit = slope / (l0 + l);
        outer = (change - unit) / ((l0 + l) * l);
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
        {
          const double K = weights.k * ((i == j ? unit : 0.) + outer * (at.previous ? d0[i] + d[i] : d[i]) * d[j]);
          for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
              sink.add(3 * pair[a] + i, 3 * pair[b] + j, a == b ? K : -K);
        }
    }
  }
  void couple(const Couple &join) const override
  {
    for (const Pair &pair : pairs)
      for (const int row : pair)
        for (const int column : pair)
          join(row, column);
  }

  std::uint64_t revision() const override { return changes; }
  /// Pairs nearer than R and the margin; those of one slice of x against another.
  void search(const Vector &q) override
  {
    std::vector<std::pair<double, int>> others;
    for (const int node : nodes[1])
      others.emplace_back(place(node, q)[0], node);
    std::sort(others.begin(), others.end());
    std::vector<Pair> found;
    const double near = law.R + margin;
    for (const int node : nodes[0])
    {
      const double x = place(node, q)[0];
      for (auto other = std::lower_bound(others.begin(), others.end(), std::pair{x - near, -1});
           other != others.end() && other->first < x + near; ++other)
        if (const Pair pair{node, other->second}; length(between(pair, q)) < near)
          found.push_back(pair);
    }
    std::sort(found.begin(), found.end());
    changes += MPI::max(int(found != pairs), space->communicator());
    pairs = std::move(found);
    searched = q;
    searched.update_ghost_values();
  }
  /// Two nodes that have moved by less than half of the margin each are as near as the search has looked.
  double largest_step(const Vector &q, const Vector &dq) const override
  {
    double now = 0, then = 0;
    for (const auto &side : nodes)
      for (const int node : side)
      {
        Three u, w;
        for (int d = 0; d < 3; ++d)
        {
          u[d] = q.local_element(3 * node + d) - searched.local_element(3 * node + d);
          w[d] = u[d] + dq.local_element(3 * node + d);
        }
        now = std::max(now, length(u));
        then = std::max(then, length(w));
      }
    std::array<double, 2> moved{now, then};
    for (double &value : moved)
      value = MPI::max(value, space->communicator());
    const double most = 0.5 * margin;
    return moved[1] <= most ? 1. : std::max(0., (most - moved[0]) / std::max(moved[1] - moved[0], moved[1]));
  }
  std::string diagnose(const Vector &) const override { return ""; }

private:
  using Pair = std::array<int, 2>;
  bool owns(const int site) const { return site < space->owned(); }
  static double length(const Three &d) { return std::sqrt(dot(d, d)); }
  Three place(const int site, const Vector &q) const
  {
    Three x;
    for (int d = 0; d < 3; ++d)
      x[d] = space->position(site)[d] + q.local_element(3 * site + d);
    return x;
  }
  static Three difference(const Pair &pair, const Vector &u)
  {
    Three w;
    for (int d = 0; d < 3; ++d)
      w[d] = u.local_element(3 * pair[1] + d) - u.local_element(3 * pair[0] + d);
    return w;
  }
  Three between(const Pair &pair, const Vector &q) const
  {
    const Three first = place(pair[0], q), second = place(pair[1], q);
    return {second[0] - first[0], second[1] - first[1], second[2] - first[2]};
  }
  static void add(const Pair &pair, const double factor, const Three &d, Vector &f)
  {
    for (int i = 0; i < 3; ++i)
    {
      f.local_element(3 * pair[0] + i) -= factor * d[i];
      f.local_element(3 * pair[1] + i) += factor * d[i];
    }
  }

  Repulsion law;
  double margin;
  std::shared_ptr<const Space> space;
  std::array<std::vector<int>, 2> nodes;  ///< local
  std::vector<Pair> pairs;
  Vector searched;
  std::uint64_t changes = 0;
};

class Contact : public StructurePart
{
public:
  void declare(const std::string &, Parameters &p) override
  {
    deck = p;
    p.add("First", names[0], "boundary");
    p.add("Second", names[1], "the other boundary");
    p.add("Stiffness", law.k, "k of k (R - r)^4 [N/m^3]", positive());
    p.add("Distance", law.R, "R: where contact begins [m]", positive());
    p.add("Margin", margin, "of the search [m]", positive());
  }
  void plan(SitePlan &plan) override
  {
    std::vector<SitePlan::Site> all;
    for (int side = 0; side < 2; ++side)
    {
      try
      {
        for (const MeshPoints::Node &node : plan.mesh().on_boundary(names[side]))
          surfaces[side].push_back(node.number);
      }
      catch (const InputError &error)
      {
        deck->fail(side == 0 ? "First" : "Second", error.what());
      }
      all.insert(all.end(), surfaces[side].begin(), surfaces[side].end());
    }
    plan.join(all);
  }
  PartInSystem build(const PlannedSites &sites) override
  {
    PartInSystem part;
    part.terms = {std::make_shared<ContactTerm>(law, margin, surfaces, sites)};
    return part;
  }
  std::string description() const override { return fmt::format("{} and {} nodes", surfaces[0].size(), surfaces[1].size()); }

private:
  std::optional<Parameters> deck;
  std::array<std::string, 2> names;
  Repulsion law{1000., 0.3};
  double margin = 0.1;
  std::array<std::vector<SitePlan::Site>, 2> surfaces;
};
SYMDYN_REGISTER(StructurePart, Contact, "Contacts of nodes");
}  // namespace symdyn::tests::in_newcomer_contact
