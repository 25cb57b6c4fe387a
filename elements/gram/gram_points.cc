#include <algorithm>
#include <array>

#include "elements/gram/gram_term.h"

// Elements that remember: laws of points, temperatures; and elements as others see them.
namespace symdyn
{
void GramTerm::begin_history(double *history) const
{
  for (std::size_t g = 0; g < groups.size() && remembers(); ++g)
    for (int batch = 0; batch < groups[g].batches(); ++batch)
    {
      Wide *m = memory_of(int(g), batch, history);
      if (fibres)
        fibres->begin(int(g), m);
      if (heated)
        heated->begin(int(g), batch, m + of_points(int(g)));
    }
}

void GramTerm::heat(const double t, const double *as, double *history) const
{
  if (!heated)
    return;
  const HeatedElements::Nodal values = as ? HeatedElements::Nodal() : heated->at(t);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int batch = 0; batch < groups[g].batches(); ++batch)
    {
      Wide *m = memory_of(int(g), batch, history) + of_points(int(g));
      if (as)
        std::copy_n(memory_of(int(g), batch, as) + of_points(int(g)), HeatedElements::variables, m);
      else
        heated->heat(int(g), batch, values, m);
    }
}

Spent GramTerm::spent(const double *history) const
{
  Spent sum;
  for (std::size_t g = 0; g < groups.size() && fibres; ++g)
    for (int batch = 0; batch < groups[g].counted(); ++batch)
      sum += fibres->spent(int(g), batch, groups[g].elements(batch), memory_of(int(g), batch, history));
  return sum;
}

/// Along y + s a: eps' = B(y)·a, eps'' = B(a)·a; of linear elements eps'' = 0.
void GramTerm::add_second_product_of_points(const GramBatches &group, const int batch, const At &at, const Vector &a, Vector &r) const
{
  const GramLayout &layout = group.layout();
  GramRoom here(layout), move(layout);
  find_strains(group, batch, *at.q, at.from, here);
  group.gather(batch, a.begin(), move.y);
  layout.derive(move.y.data(), move.z.data());
  layout.rate(here.z.data(), move.z.data(), here.change.data());
  if (!linear)
    layout.rate(move.z.data(), move.z.data(), move.eps.data());
  std::vector<Jet<Wide>> eps(layout.strains()), sigma(layout.strains());
  for (std::size_t i = 0; i < eps.size(); ++i)
    eps[i] = {here.eps[i], here.change[i], linear ? Wide(0.) : move.eps[i]};
  fibres->bend(of(group, batch, at), eps.data(), sigma.data());
  for (std::size_t i = 0; i < eps.size(); ++i)
  {
    here.sigma[i] = sigma[i].dd;
    move.sigma[i] = sigma[i].d;
  }
  add_force(group, batch, here.sigma, here, 1., here, r);
  if (!linear)
    add_force(group, batch, move.sigma, move, 2., here, r);
}

void GramTerm::add_heat(const GramBatches &group, const int batch, const int lane, const double *history, Seen &one) const
{
  const int number = number_of(group);
  std::array<Wide, HeatedElements::variables> virgin;
  if (!history)
    heated->begin(number, batch, virgin.data());
  const Wide *m = history ? memory_of(number, batch, history) + of_points(number) : virgin.data();
  one.temperature = m[0][lane];
  one.stiffness = softens() ? heated->stiffness_of(number, batch, m)[lane] : 1.;
  one.temperature_at_start = heated->temperature_at_start(number, batch, lane);
  one.free_strain = m[1][lane];
  one.free_curvature = m[2][lane];
}

std::map<SitePlan::Site, double> GramTerm::temperatures_of_nodes(const double t, const double *history) const
{
  const auto each = [&](const std::function<void(int, int, int, double)> &take) {
    for (int g = 0; g < int(groups.size()); ++g)
      for (int batch = 0; batch < groups[g].batches(); ++batch)
        for (int lane = 0; lane < groups[g].elements(batch); ++lane)
          take(g, batch, lane, history ? memory_of(g, batch, history)[of_points(g)][lane] : heated->temperature_at_start(g, batch, lane));
  };
  return heated->of_nodes(t, each, space->communicator());
}

void GramTerm::visit(const Vector &q, const double *history, const std::function<void(const Seen &)> &take) const
{
  At at;
  at.q = &q;
  at.from = history;
  for (std::size_t g = 0; g < groups.size(); ++g)
  {
    const GramBatches &group = groups[g];
    GramRoom here(group.layout()), move(group.layout());
    Seen one{0, GramVectors(here.y.size()), GramVectors(here.y.size()), std::vector<double>(here.eps.size()), {}, {}};
    one.sigma = one.eps;
    std::vector<std::vector<Fibres::Seen>> points;
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, q, history, here);
      find_stresses(group, batch, at, here);
      if (fibres)
        points = fibres->points(of(group, batch, at), here.eps.data());
      group.gather(batch, q.begin(), move.y);
      group.gather_present(batch, *space, q.begin(), here.y);
      for (int lane = 0; lane < group.elements(batch); ++lane)
      {
        one.number = numbers[g][batch * lanes + lane];
        for (std::size_t a = 0; a < one.y.size(); ++a)
          for (int d = 0; d < 3; ++d)
          {
            one.u[a][d] = move.y[a][d][lane];
            one.y[a][d] = here.y[a][d][lane];
          }
        for (std::size_t i = 0; i < one.eps.size(); ++i)
        {
          one.eps[i] = here.eps[i][lane];
          one.sigma[i] = here.sigma[i][lane];
        }
        if (fibres)
          one.points = std::move(points[lane]);
        if (heated)
          add_heat(group, batch, lane, history, one);
        take(one);
      }
    }
  }
}
}  // namespace symdyn
