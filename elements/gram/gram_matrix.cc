#include <array>

#include "elements/gram/gram_term.h"

// Matrices of elements whose strains are scalar products of nodal vectors, and the strains of their geometric part.
namespace symdyn
{
void GramTerm::carry(const GramBatches &group, const int batch, const At &at, const GramRoom &here, GramRoom &carried) const
{
  if (is_stressed(at))
  {
    group.gather(batch, at.led->begin(), carried.y);
    group.layout().derive(carried.y.data(), carried.of_derived.data());
    group.gather(batch, at.before->begin(), carried.y);
    group.layout().derive(carried.y.data(), carried.z.data());
    for (std::size_t p = 0; p < here.z.size(); ++p)
      for (int d = 0; d < 3; ++d)
        carried.of_derived[p][d] -= carried.z[p][d];
    group.layout().rate(here.z.data(), carried.of_derived.data(), carried.eps.data());
    return;
  }
  if (linear || !at.before)
  {
    carried.eps = here.eps;
    return;
  }
  find_strains(group, batch, *at.before, at.from, carried);
  carried.of_derived = here.z;
  if (at.led)
  {
    group.gather_present(batch, *space, at.led->begin(), carried.y);
    group.layout().derive(carried.y.data(), carried.of_derived.data());
  }
  for (std::size_t p = 0; p < here.z.size(); ++p)
    for (int d = 0; d < 3; ++d)
      carried.of_derived[p][d] -= carried.z[p][d];
  group.layout().rate(carried.z.data(), carried.of_derived.data(), carried.change.data());
  for (std::size_t i = 0; i < here.eps.size(); ++i)
    carried.eps[i] += carried.change[i];
}

const Wide *GramTerm::moduli(const GramBatches &group, const int batch, const double *history, std::vector<Wide> &room) const
{
  const Wide *D = group.D(batch);
  if (!softens())
    return D;
  const Wide k = stiffness_of(group, batch, history);
  room.assign(D, D + group.layout().stiffnesses());
  for (Wide &entry : room)
    entry = k * entry;
  return room.data();
}

void GramTerm::add_stiffness(const GramBatches &group, const int batch, const At &at, const double weight, std::vector<Wide> &k) const
{
  const GramLayout &layout = group.layout();
  GramRoom here(layout), carried(layout);
  find_strains(group, batch, *at.q, at.from, here);
  const std::vector<Triple<Wide>> now = here.z;
  carry(group, batch, at, here, carried);
  if (fibres)
    return add_stiffness_of_points(group, batch, at, weight, here, carried, k);
  if (at.previous)
  {
    find_strains(group, batch, *at.previous, at.from, here);
    for (std::size_t p = 0; p < now.size(); ++p)
      for (int d = 0; d < 3; ++d)
        here.z[p][d] = 0.5 * (here.z[p][d] + now[p][d]);
    for (std::size_t i = 0; i < here.eps.size(); ++i)
      carried.eps[i] = 0.5 * (carried.eps[i] + here.eps[i]);
  }
  const double half = at.previous ? 0.5 * weight : weight;
  std::vector<Wide> softened;
  layout.add_stiffness(here.z.data(), now.data(), moduli(group, batch, at.from, softened), half, k);
  if (!bends(at))
    return;
  find_elastic_stresses(group, batch, at.from, carried);
  layout.add_geometric(carried.sigma.data(), half, k);
}

/// The same of a law of points. `here`: at q; `carried`: eps of the geometric part.
void GramTerm::add_stiffness_of_points(const GramBatches &group, const int batch, const At &at, const double weight, GramRoom &here,
                                       GramRoom &carried, std::vector<Wide> &k) const
{
  const GramLayout &layout = group.layout();
  const Fibres::Batch points = of(group, batch, at);
  std::vector<Wide> D(layout.stiffnesses()), transposed(D.size());
  double of_stress = weight;
  const std::vector<Triple<Wide>> now = here.z;
  if (at.previous)
  {
    GramRoom before(layout);
    find_strains(group, batch, *at.previous, at.from, before);
    fibres->discrete_moduli(points, before.eps.data(), here.eps.data(), D.data(), transposed.data());
    fibres->discrete_stress(points, before.eps.data(), carried.eps.data(), carried.sigma.data());
    to_middle(before, here);
    of_stress *= 0.5;
  }
  else
  {
    fibres->moduli(points, here.eps.data(), D.data(), transposed.data());
    if (!linear)
      find_stresses(group, batch, at, carried);
  }
  layout.add_stiffness(here.z.data(), now.data(), D.data(), transposed.data(), weight, k);
  if (!linear)
    layout.add_geometric(carried.sigma.data(), of_stress, k);
}

void GramTerm::add_blocks(const GramBatches &group, const int batch, const std::vector<Wide> &k, const MatrixSink &sink) const
{
  const int n = group.layout().vectors();
  std::vector<GramBatches::Part> parts;
  std::array<double, 9> block{};
  for (int lane = 0; lane < group.elements(batch); ++lane)
  {
    group.parts(batch, lane, parts);
    for (const GramBatches::Part &row : parts)
      for (const GramBatches::Part &column : parts)
      {
        const double factor = row.factor * column.factor;
        for (int i = 0; i < 9; ++i)
          block[i] = factor * k[9 * (row.vector * n + column.vector) + i][lane];
        sink.add_block(row.site, column.site, block.data());
      }
  }
}

void GramTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all)
    return;
  for (const GramBatches &group : groups)
  {
    const GramLayout &layout = group.layout();
    std::vector<Wide> k(9 * layout.vectors() * layout.vectors());
    GramRoom here(layout);
    for (int batch = 0; batch < group.batches(); ++batch)
    {
      std::fill(k.begin(), k.end(), Wide(0.));
      if (weights.k != 0.)
        add_stiffness(group, batch, at, weights.k, k);
      if (weights.c != 0. && rate != 0.)
      {
        derive_place(group, batch, *at.q, here);
        layout.add_stiffness(here.z.data(), here.z.data(), group.D(batch), weights.c * rate, k);
      }
      add_blocks(group, batch, k, sink);
    }
  }
}

void GramTerm::couple(const Couple &join) const
{
  std::vector<GramBatches::Part> parts;
  for (const GramBatches &group : groups)
    for (int batch = 0; batch < group.batches(); ++batch)
      for (int lane = 0; lane < group.elements(batch); ++lane)
      {
        group.parts(batch, lane, parts);
        for (const GramBatches::Part &one : parts)
          for (const GramBatches::Part &other : parts)
            join(one.site, other.site);
      }
}

double GramTerm::stiffness_weight(const At &, const Weights &weights) const { return weights.k + weights.c * rate; }

double GramTerm::energy_scale() const { return scale; }
}  // namespace symdyn
