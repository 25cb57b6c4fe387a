#include "elements/models/director_constraints.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>

#include "elements/gram/gram_vector.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// d_i·d_j = constant, i != j
class DirectorProduct : public Constraint
{
public:
  DirectorProduct(const int i, const int j, const double constant) : i(i), j(j), constant(constant) {}
  double value(const double *x) const override { return product(x, x) - constant; }
  void add_row(const double *x, ConstraintRows &G) const override
  {
    for (int d = 0; d < 3; ++d)
      G.add(3 * i + d, x[3 * j + d]);
    for (int d = 0; d < 3; ++d)
      G.add(3 * j + d, x[3 * i + d]);
    G.finish_row();
  }
  void add_curvature(const double *, const double lambda, const double *w, double *r) const override
  {
    for (int d = 0; d < 3; ++d)
    {
      r[3 * i + d] += lambda * w[3 * j + d];
      r[3 * j + d] += lambda * w[3 * i + d];
    }
  }
  /// G at the middle: exact, because g is quadratic.
  void add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const override
  {
    for (int d = 0; d < 3; ++d)
      G.add(3 * i + d, 0.5 * (x0[3 * j + d] + x1[3 * j + d]));
    for (int d = 0; d < 3; ++d)
      G.add(3 * j + d, 0.5 * (x0[3 * i + d] + x1[3 * i + d]));
    G.finish_row();
  }
  double bend(const double *, const double *v, const double *w) const override { return product(v, w) + product(w, v); }
  double size() const override { return 1.; }

private:
  double product(const double *a, const double *b) const
  {
    return a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
  }
  int i, j;
  double constant;
};

const double *projector(const DirectorConstraints::Supports &supports, const int site)
{
  for (const auto &one : supports)
    if (const double *P = one->projector(site))
      return P;
  return nullptr;
}
}  // namespace

DirectorConstraints::Directors DirectorConstraints::find(const Pairs &pairs, const PlannedSites &sites, const Supports &supports,
                                                         const std::string &where)
{
  Directors all;
  std::vector<int> held;
  std::string fault;
  const MPI_Comm communicator = sites.space()->communicator();
  for (const auto &[a, b] : pairs)
    for (const SitePlan::Site site : {a, b})
    {
      if (!all.place.emplace(site, int(all.owned.size())).second)
        continue;
      const bool here = sites.owns(site);
      all.owned.push_back(here ? sites.local(site) : -1);
      const double *P = here ? projector(supports, all.owned.back()) : nullptr;
      for (int d = 0; d < 3; ++d)
      {
        all.positions.push_back(here ? sites.space()->position(all.owned.back())[d] : 0.);
        held.push_back(P && P[4 * d] < 0.5);
        for (int e = 0; e < 3 && P; ++e)
          if (e != d && std::abs(P[3 * d + e]) > 1e-12)
            fault = where + ": a support holds a director along no axis. Turn the structure, or set Directors = elastic";
      }
    }
  throw_collectively<InputError>(fault, communicator);
  MPI::sum(all.positions, communicator, all.positions);
  MPI::sum(held, communicator, held);
  all.held.assign(held.begin(), held.end());
  return all;
}

double DirectorConstraints::Directors::product(const int i, const int j) const
{
  double sum = 0;
  for (int d = 0; d < 3; ++d)
    sum += positions[3 * i + d] * positions[3 * j + d];
  return sum;
}

double DirectorConstraints::Directors::free_slope(const int i, const int j) const
{
  double slope = 0;
  for (int d = 0; d < 3; ++d)
    slope += (held[3 * i + d] ? 0. : std::abs(positions[3 * j + d])) + (held[3 * j + d] ? 0. : std::abs(positions[3 * i + d]));
  return slope;
}

std::shared_ptr<const DirectorConstraints> DirectorConstraints::make(const Pairs &pairs, const PlannedSites &sites,
                                                                     const Supports &supports, HingeNames &names, const std::string &where)
{
  constexpr double none = 1e-6;
  const Directors all = find(pairs, sites, supports, where);
  std::vector<std::shared_ptr<const Constraint>> constraints;
  for (const auto &[a, b] : pairs)
    if (const int i = all.place.at(a), j = all.place.at(b); all.free_slope(i, j) >= none)
    {
      auto one = std::make_shared<DirectorProduct>(i, j, all.product(i, j));
      one->name = names.next(a, b);
      constraints.push_back(one);
    }
  return std::shared_ptr<const DirectorConstraints>(new DirectorConstraints(std::move(constraints), all, sites.space()->communicator()));
}

void DirectorConstraints::gather(const Vector &x, std::vector<double> &w) const
{
  w.assign(3 * owned.size(), 0.);
  for (std::size_t i = 0; i < owned.size(); ++i)
    for (int d = 0; d < 3 && owned[i] >= 0; ++d)
      w[3 * i + d] = x.local_element(3 * owned[i] + d);
  if (MPI::n_mpi_processes(communicator) > 1)
    MPI::sum(w, communicator, w);
}

void DirectorConstraints::scatter_all(const std::vector<double> &w, Vector &x) const
{
  for (std::size_t i = 0; i < owned.size(); ++i)
    for (int d = 0; d < 3 && owned[i] >= 0; ++d)
      x.local_element(3 * owned[i] + d) += w[3 * i + d];
}
}  // namespace symdyn
