#include <fmt/format.h>

#include <cmath>

#include "elements/solids/solid_term.h"
#include "materials/algebra/spectral.h"
#include "materials/section/prestrained.h"

// Points without an answer, looked for after a step has failed: steps that succeed pay nothing.
namespace symdyn
{
namespace
{
/// A point of `lanes` cells that notes where its law answers a finite C with a stress that is none.
class WatchedPoint : public PointLaw
{
public:
  explicit WatchedPoint(const PointLaw &law) : PointLaw(law) {}
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override
  {
    const Symmetric<Wide> S = PointLaw::stress(C);
    for (int lane = 0; lane < lanes && failed < 0; ++lane)
    {
      double strain = 0., sum = 0.;
      for (int m = 0; m < 6; ++m)
      {
        strain += C[m][lane];
        sum += S[m][lane];
      }
      if (std::isfinite(strain) && !std::isfinite(sum))
      {
        failed = lane;
        for (int m = 0; m < 6; ++m)
          at[m] = C[m][lane];
      }
    }
    return S;
  }
  using PointLaw::stress;

  mutable int failed = -1;            ///< the first lane
  mutable Symmetric<double> at = {};  ///< C there
};

/// Bound to the history of the cells, so that a search for inner unknowns begins where that of the step has begun.
class WatchedLaw : public BoundLaw
{
public:
  WatchedLaw(const InelasticMaterial &law, const int points, const double dt, const int inner, const Wide *history)
      : BoundLaw(law, points, dt, {}, inner)
  {
    bind(history, nullptr);
    for (int q = 0; q < points; ++q)
      of_points.emplace_back(PointLaw(law, history + q * law.variables(), dt));
  }
  const Material &at_point(const int q) const override { return of_points[q]; }

  std::vector<WatchedPoint> of_points;
};

/// sqrt(C), or 1 + eps of small strains.
std::array<double, 9> stretch_of(const Symmetric<double> &C, const bool small)
{
  const Symmetric<double> root = small ? C : power(spectrum(C), 0.5);
  std::array<double, 9> F{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F[3 * i + j] = small ? 0.5 * (root(i, j) + (i == j ? 1. : 0.)) : root(i, j);
  return F;
}

std::string shown(const InelasticMaterial &law, const std::vector<Wide> &m, const int lane)
{
  int size = 0;
  for (const Remembered &one : law.remembered())
    size += one.components;
  std::vector<Wide> values(size);
  law.show(m.data(), values.data());
  std::string text;
  int next = 0;
  for (const Remembered &one : law.remembered())
  {
    if (one.components == 1 && std::isnan(values[next][lane]))  // a law of a user that has no energies
    {
      ++next;
      continue;
    }
    text += fmt::format("{}{} = ", text.empty() ? "" : ", ", one.name);
    for (int c = 0; c < one.components; ++c)
      text += fmt::format("{}{:.6g}", c ? " " : "", values[next++][lane]);
  }
  return text.empty() ? "nothing" : text;
}

template <int dim>
std::vector<double> place_of(const CellRegion<dim> &region, const Discretisation<dim> &mesh, const std::size_t batch, const int q,
                             const int lane)
{
  std::vector<double> X(dim, 0.);
  const int nodes = region.n_nodes();
  for (int a = 0; a < nodes; ++a)
    for (int d = 0; d < dim; ++d)
      X[d] += region.family.stiffness.shape[q * nodes + a] * mesh.position[region.batch_nodes(batch)[a * lanes + lane]][d];
  return X;
}

template <class Coordinates>
std::string in_words(const Coordinates &X, const int dim)
{
  std::string text;
  for (int d = 0; d < dim; ++d)
    text += fmt::format("{}{:.4g}", d ? ", " : "", X[d]);
  return text;
}
}  // namespace

template <int dim>
FailedPoint SolidTerm<dim>::describe(const CellRegion<dim> &region, const std::size_t batch, const int q, const int lane,
                                     const Symmetric<double> &C, const At &at) const
{
  const MaterialInUse &use = in_use.at(region.batches[batch].material);
  const InelasticMaterial &law = *inelastic(*use.law);
  const Wide *m = reinterpret_cast<const Wide *>(at.from ? at.from : past.virgin()) + past.offset(region, batch) + q * law.variables();
  FailedPoint point;
  point.material = use.name;
  point.heated = heated(law) != nullptr;
  point.prestrained = prestrained(law) != nullptr;
  point.dt = std::isinf(at.dt) ? law.length_without_rates() : at.dt;
  point.F = stretch_of(C, law.small_strain());
  point.place = place_of(region, *body, batch, q, lane);
  for (int i = 0; i < law.variables(); ++i)
    point.memory.push_back(m[i][lane]);
  const std::array<double, 9> &F = point.F;
  point.text = fmt::format(
      "the law of {} has no answer at X = ({}) m, in the cell around ({}) m: F = ({:.8g} {:.8g} {:.8g}; {:.8g} {:.8g} {:.8g}; {:.8g} {:.8g} "
      "{:.8g}) without rotation, from {} in an increment of {:.6g} s",
      use.name, in_words(point.place, dim), in_words(region.centre(batch, lane), dim), F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8],
      shown(law, {m, m + law.variables()}, lane), point.dt);
  return point;
}

template <int dim>
std::optional<FailedPoint> SolidTerm<dim>::failed_point(const At &at) const
{
  if (!past.any() || at.dt == 0.)
    return {};
  std::vector<Wide> u, f;
  const Wide *history = reinterpret_cast<const Wide *>(at.from ? at.from : past.virgin());
  for (const CellRegion<dim> &region : body->regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      const InelasticMaterial *law = inelastic(material(region.batches[batch].material));
      if (!law)
        continue;
      const int points = region.family.stiffness.points;
      const WatchedLaw watched(*law, points, at.dt, region.kernels->by_points()->inner_unknowns(), history + past.offset(region, batch));
      u.resize(region.n_nodes() * dim);
      f.assign(u.size(), Wide(0.));
      region.gather(batch, *at.q, u.data());
      const auto X = region.batch_vertices(batch);
      region.kernels->by_points()->force(CellMap<dim>(X), u.data(), watched, f.data());
      for (int q = 0; q < points; ++q)
        if (const WatchedPoint &point = watched.of_points[q]; point.failed >= 0 && point.failed < region.batches[batch].filled)
          return describe(region, batch, q, point.failed, point.at, at);
    }
  return {};
}

template std::optional<FailedPoint> SolidTerm<2>::failed_point(const At &) const;
template std::optional<FailedPoint> SolidTerm<3>::failed_point(const At &) const;
}  // namespace symdyn
