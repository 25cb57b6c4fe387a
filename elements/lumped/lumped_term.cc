#include "elements/lumped/lumped_term.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace symdyn
{
LumpedTerm::LumpedTerm(const LumpedParts &parts, std::shared_ptr<const PointSites> given)
    : sites(std::move(given)), n(parts.dimension), past(parts)
{
  of_all = traits_of(parts);
  const std::vector<int> &points = sites->known();
  in_place = int(points.size()) == sites->space().owned();
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    const LumpedPoint &point = parts.points[points[i]];
    site.push_back(sites->site(points[i]));
    in_place = in_place && site.back() == int(i);
    names.push_back(point.name);
    const bool mine = sites->owns(points[i]);
    for (int d = 0; d < n; ++d)
    {
      X.push_back(point.position[d]);
      weight.push_back(mine && point.director_of < 0 ? -point.mass * parts.gravity[d] : 0.);
      drag.push_back(mine && !parts.dashpots.empty() ? parts.dashpots[points[i]] : 0.);
    }
  }
  localise(parts);
  if (!parts.temperature || !past.is_heated())
    return;
  temperature = parts.temperature;
  actions = parts.actions;
}

void LumpedTerm::begin_history(double *history) const
{
  past.begin_history(history);
  if (!temperature)
    return;
  const auto start = temperatures([this](const double *x) { return temperature->at_start(x, n, {}); });
  past.each_heated(history, [&](const ElementMemory &memory, double *m) { memory.start_heat(start, m); });
}

void LumpedTerm::heat(const double t, const double *as, double *history) const
{
  if (!temperature)
    return;
  const Moment now = actions->at(t);
  const double part = actions->heating > 0. && temperature->changes_in_time() ? 1. : actions->heating;
  const auto goal = temperatures([this, &now](const double *x) { return temperature->at(x, n, {}, now); });
  past.each_heated(history, [&](const ElementMemory &memory, double *m) {
    if (as)
      memory.heat_as(as + (m - history), m);
    else
      memory.heat(goal, part, m);
  });
}

namespace
{
using Some = std::vector<std::shared_ptr<const DiscreteTerm>>;
using Keep = std::function<bool(const std::vector<int> &)>;

/// Elements with a memory: those of this rank first, then those that its matrices need.
void localise_memory(const LumpedParts &parts, PointSelection selection, const Keep &by_first, const Keep &by_any, Some &terms,
                     Some &of_matrices, LumpedHistory &past)
{
  for (const bool owned : {true, false})
  {
    selection.keep = [&](const std::vector<int> &points) { return owned == by_first(points) && by_any(points); };
    for (std::size_t i = 0; i < parts.terms.size(); ++i)
      if (dynamic_cast<const ElementMemory *>(parts.terms[i].get()))
      {
        const auto some = parts.terms[i]->selected(selection);
        past.add(i, some, owned);
        of_matrices.push_back(some);
        if (owned)
          terms.push_back(some);
      }
  }
}
}  // namespace

void LumpedTerm::localise(const LumpedParts &parts)
{
  if (sites->known().size() == parts.points.size() && dealii::Utilities::MPI::n_mpi_processes(sites->space().communicator()) == 1)
  {
    terms.assign(parts.terms.begin(), parts.terms.end());
    dashpots.assign(parts.damping.begin(), parts.damping.end());
    terms_of_matrices = terms;
    dashpots_of_matrices = dashpots;
    for (std::size_t i = 0; i < terms.size(); ++i)
      past.add(i, terms[i], true);
    return;
  }
  PointSelection selection;
  selection.place.assign(parts.points.size(), -1);
  for (std::size_t i = 0; i < sites->known().size(); ++i)
    selection.place[sites->known()[i]] = int(i);
  const auto mine = [this](const int point) { return sites->owns(point); };
  const auto by_first = [mine](const std::vector<int> &points) { return mine(points.front()); };
  const auto by_any = [mine](const std::vector<int> &points) { return std::any_of(points.begin(), points.end(), mine); };
  for (const auto &[keep, to, dashpots_to] :
       {std::tuple<Keep, Terms *, Dashpots *>{by_first, &terms, &dashpots}, {by_any, &terms_of_matrices, &dashpots_of_matrices}})
  {
    selection.keep = keep;
    for (const auto &term : parts.terms)
      if (dynamic_cast<const ElementMemory *>(term.get()))
        continue;
      else if (auto some = term->selected(selection))
        to->push_back(some);
    for (const auto &term : parts.damping)
      dashpots_to->push_back(term->selected(selection));
  }
  localise_memory(parts, selection, by_first, by_any, terms, terms_of_matrices, past);
}

Traits LumpedTerm::traits_of(const LumpedParts &parts)
{
  Traits traits;
  traits.linear = traits.quadratic = true;
  for (const auto &term : parts.terms)
  {
    traits.linear = traits.linear && term->linear();
    traits.quadratic = traits.quadratic && term->quadratic();
    traits.momentum_gradient = traits.momentum_gradient && term->momentum_gradient();
    traits.stiff = traits.stiff || term->stiff;
  }
  traits.history = std::any_of(parts.terms.begin(), parts.terms.end(), [](const auto &term) {
    const auto *memory = dynamic_cast<const ElementMemory *>(term.get());
    return memory && memory->flows();
  });
  const bool heated = parts.temperature && std::any_of(parts.terms.begin(), parts.terms.end(), [](const auto &term) {
                        const auto *memory = dynamic_cast<const ElementMemory *>(term.get());
                        return memory && memory->is_heated();
                      });
  traits.heated = heated && parts.temperature->changes();
  traits.heated_in_time = traits.heated && parts.temperature->changes_in_time();
  traits.history = traits.history || traits.heated_in_time;
  traits.keeps_history = heated && !traits.history;
  traits.weighs = parts.gravity != std::array<double, 3>{};
  traits.damping_couples = !parts.damping.empty();
  traits.damps =
      traits.damping_couples || std::any_of(parts.dashpots.begin(), parts.dashpots.end(), [](const double c) { return c != 0.; });
  traits.nonlinear_damping = std::any_of(parts.damping.begin(), parts.damping.end(), [](const auto &term) { return !term->linear(); });
  return traits;
}

std::vector<double> LumpedTerm::known(const Vector &x) const
{
  std::vector<double> w(n * site.size());
  for (std::size_t i = 0; i < site.size(); ++i)
    std::copy_n(x.begin() + n * site[i], n, w.begin() + n * i);
  return w;
}

std::vector<double> LumpedTerm::coordinates(const Vector &q) const
{
  std::vector<double> x(X);
  for (std::size_t i = 0; i < site.size(); ++i)
    for (int d = 0; d < n; ++d)
      x[n * i + d] += q.local_element(n * site[i] + d);
  return x;
}

template <class Act>
void LumpedTerm::scatter(Vector &f, const Act &act) const
{
  if (in_place)
    return act(f.begin());
  std::vector<double> added(X.size(), 0.);
  act(added.data());
  for (std::size_t i = 0; i < site.size(); ++i)
    for (int d = 0; d < n; ++d)
      f.local_element(n * site[i] + d) += added[n * i + d];
}

double LumpedTerm::energy(const At &at) const
{
  const std::vector<double> x = coordinates(*at.q);
  double V = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (weight[i] != 0.)
      V += weight[i] * x[i];
  for_terms(terms, Part::all, at, [&](const auto &term) { V += term.potential(x.data()); });
  return V;
}

double LumpedTerm::add_force(const At &at, Vector &f) const
{
  const std::vector<double> x = coordinates(*at.q);
  scatter(f, [&](double *sum) {
    for (std::size_t i = 0; i < weight.size(); ++i)
      sum[i] += weight[i];
    for_terms(terms, Part::all, at, [&](const auto &term) { term.add_force(x.data(), sum); });
  });
  if (at.to)
    remember_ghosts(at, x);
  return always_admissible;
}

void LumpedTerm::remember_ghosts(const At &at, const std::vector<double> &x) const
{
  std::vector<double> unused;
  past.each_ghost(at, [&](const DiscreteTerm &term) {
    unused.resize(x.size());
    term.add_force(x.data(), unused.data());
  });
}

double LumpedTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  const std::vector<double> x0 = coordinates(*at.previous), x1 = coordinates(*at.q);
  scatter(f, [&](double *sum) {
    for (std::size_t i = 0; i < weight.size(); ++i)
      sum[i] += weight[i];
    for_terms(terms, Part::all, at, [&](const auto &term) { term.add_discrete_gradient(x0.data(), x1.data(), sum); });
  });
  return always_admissible;
}

void LumpedTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  const std::vector<double> x = coordinates(*at.q), w = known(u);
  if (weights.k != 0.)
  {
    std::vector<double> scaled(w);
    for (double &value : scaled)
      value *= weights.k;
    const double half = at.previous ? 0.5 : 1.;  // of a linear force, whose discrete gradient has half of V''
    for (double &value : scaled)
      value *= half;
    scatter(r, [&](double *sum) {
      for_terms(terms, at.part, at, [&](const auto &term) { term.add_stiffness(x.data(), scaled.data(), sum); });
    });
  }
  if (weights.c == 0. || !of_all.damps)
    return;
  std::vector<double> scaled(w);
  for (double &value : scaled)
    value *= weights.c;
  scatter(r, [&](double *sum) {
    for (std::size_t i = 0; i < drag.size(); ++i)
      sum[i] += drag[i] * scaled[i];
    for (const auto &term : dashpots)
      term->add_force(x.data(), scaled.data(), sum);
  });
}

void LumpedTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  const std::vector<double> x = coordinates(*at.q), w = known(a);
  scatter(r, [&](double *sum) { for_terms(terms, at.part, at, [&](const auto &term) { term.add_third(x.data(), w.data(), sum); }); });
}

void LumpedTerm::add_damping_force(const At &at, Vector &f) const
{
  if (!of_all.damps)
    return;
  const std::vector<double> x = coordinates(*at.q), v = known(*at.v);
  scatter(f, [&](double *sum) {
    for (std::size_t i = 0; i < drag.size(); ++i)
      sum[i] += drag[i] * v[i];
    for (const auto &term : dashpots)
      term->add_force(x.data(), v.data(), sum);
  });
}

void LumpedTerm::add_ground_damping(const Vector &r, Vector &f) const
{
  const std::vector<double> w = known(r);
  scatter(f, [&](double *sum) {
    for (std::size_t i = 0; i < drag.size(); ++i)
      sum[i] += drag[i] * w[i];
    for (const auto &term : dashpots)
      if (term->linear())  // others feel no translation
        term->add_force(X.data(), w.data(), sum);
  });
}

void LumpedTerm::add_weight(const double factor, Vector &f) const
{
  scatter(f, [&](double *sum) {
    for (std::size_t i = 0; i < weight.size(); ++i)
      sum[i] += factor * weight[i];
  });
}

void LumpedTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  const AddEntry add = [&](const int i, const int j, const double value) { sink.add(dof(i), dof(j), value); };
  for (std::size_t i = 0; i < drag.size() && weights.c != 0.; ++i)
    if (drag[i] != 0.)
      add(int(i), int(i), weights.c * drag[i]);
  const bool couples = weights.c != 0. && !dashpots_of_matrices.empty();
  if (weights.k == 0. && !couples)
    return;
  const std::vector<double> x1 = coordinates(*at.q), x0 = at.previous ? coordinates(*at.previous) : x1;
  if (couples)
    for (const auto &dashpot : dashpots_of_matrices)
      dashpot->add_tangent(x1.data(), weights.c, add);
  if (weights.k != 0.)
    for_terms(terms_of_matrices, at.part, at, [&](const DiscreteTerm &term) {
      if (at.previous)
        term.add_discrete_tangent(x0.data(), x1.data(), weights.k, add);
      else
        term.add_tangent(x1.data(), weights.k, add);
    });
}

void LumpedTerm::couple(const Couple &join) const { couple(Part::all, join); }
void LumpedTerm::couple_stiff(const Couple &join) const { couple(Part::stiff, join); }

void LumpedTerm::couple(const Part part, const Couple &join) const
{
  const auto both = [&](const int k, const int l) {
    join(site[k], site[l]);
    join(site[l], site[k]);
  };
  for_terms(terms_of_matrices, part, {}, [&](const auto &term) { term.couple(both); });
  for (const auto &term : dashpots_of_matrices)
    term->couple(both);
  for (const int s : site)
    join(s, s);
}

double LumpedTerm::energy_scale() const
{
  double sum = 0;
  for (const auto &term : terms)
    sum += term->scale();
  for (std::size_t i = 0; i < weight.size(); ++i)
    sum += std::abs(weight[i] * X[i]);
  return sum;
}

std::string LumpedTerm::diagnose(const Vector &q) const
{
  const std::vector<double> x = coordinates(q);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      return "point '" + names[i / n] + "' is at no finite place";
  for (const auto &term : terms)
    if (const std::string what = term->diagnose(x.data(), names); !what.empty())
      return what;
  return "";
}

double LumpedTerm::force_rounding(const Vector &q, const std::vector<double> &stiffness) const
{
  // s - L² of a bar and the arguments of a formula round like the coordinates, the force like stiffness times that; and the terms of
  // which a force is the small difference where V'' changes its sign round like the force. 2: no long run of
  // the tests stalls, and with 4 one that drifts far from the origin stops Newton so early that its angular momentum shows it.
  constexpr double safety = 2.;
  const std::vector<double> x = coordinates(q);
  std::vector<double> f(weight), diagonal(x.size(), 0.);
  for (const auto &term : terms_of_matrices)
    term->add_force(x.data(), f.data());
  if (stiffness.empty())
    for (const auto &term : terms_of_matrices)
      term->add_tangent(x.data(), 1., [&](const int i, const int j, const double value) { diagonal[i] += i == j ? value : 0.; });
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const int place = dof(int(i)); site[i / n] < sites->space().owned())
    {
      const double k = stiffness.empty() ? diagonal[i] : stiffness[place];
      sum += std::pow(safety * sites->space().weight(site[i / n]) *
                          (std::abs(k) * (std::abs(X[i]) + std::abs(q.local_element(place))) + std::abs(f[i])),
                      2);
    }
  return std::numeric_limits<double>::epsilon() * std::sqrt(dealii::Utilities::MPI::sum(sum, sites->space().communicator()));
}
}  // namespace symdyn
