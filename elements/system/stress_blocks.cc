#include "elements/system/stress_blocks.h"

#include "elements/space.h"

namespace symdyn
{
template <class Act>
void StressBlocks::for_entries(const Element &one, const Act &act) const
{
  const std::size_t count = one.sites.size();
  const bool scalar = one.k.size() == count * count;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      for (int d = 0; d < n; ++d)
        for (int e = scalar ? d : 0; e < (scalar ? d + 1 : n); ++e)
          act(one.sites[a], one.sites[b], d, e, factor * (scalar ? one.k[a * count + b] : one.k[((a * count + b) * n + d) * n + e]));
}

void StressBlocks::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (weights.k == 0. || at.part != Part::all)
    return;
  for (std::size_t i = 0; i < counted; ++i)
    for_entries(elements[i], [&](const unsigned int a, const unsigned int b, const int d, const int e, const double k) {
      r.local_element(n * a + d) += weights.k * k * u.local_element(n * b + e);
    });
}

void StressBlocks::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (weights.k == 0. || at.part != Part::all)
    return;
  for (const Element &one : elements)
    for_entries(one, [&](const unsigned int a, const unsigned int b, const int d, const int e, const double k) {
      sink.add(int(n * a) + d, int(n * b) + e, weights.k * k);
    });
}

void StressBlocks::add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const
{
  const MatrixSink sink{D};
  if (weights.k == 0. || at.part != Part::all)
    return;
  for (const Element &one : elements)
    for_entries(one, [&](const unsigned int a, const unsigned int b, const int d, const int e, const double k) {
      if (a == b)
        sink.add(int(n * a) + d, int(n * b) + e, weights.k * k);
    });
}

CarriedStress::CarriedStress(const Term &term, const Space &space, Vector given, const Vector &u, const double *from, const double factor)
    : term(term), q(std::move(given)), led(q), present(q), from(from), factor(factor)
{
  led += u;
  for (unsigned int i = 0; i < present.locally_owned_size(); ++i)
    present.local_element(i) += space.position(int(i) / space.block())[int(i) % space.block()];
  for (Vector *x : {&q, &led, &present})
    x->update_ghost_values();
}

Traits CarriedStress::traits() const
{
  Traits traits;
  traits.thin = term.traits().thin;
  return traits;
}

std::pair<At, At> CarriedStress::places() const
{
  At plain{0., &q};
  plain.from = from;
  At carried = plain;
  carried.before = &q;
  carried.led = &led;
  return {carried, plain};
}

double CarriedStress::add_force(const At &at, Vector &f) const
{
  if (at.part == Part::all)
    add_product(at, K, present, f);
  return always_admissible;
}

void CarriedStress::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (weights.k == 0. || at.part != Part::all)
    return;
  const auto [carried, plain] = places();
  term.add_product(carried, factor * weights.k * K, u, r);
  term.add_product(plain, -factor * weights.k * K, u, r);
}

void CarriedStress::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (weights.k == 0. || at.part != Part::all)
    return;
  const auto [carried, plain] = places();
  term.add_matrix(carried, factor * weights.k * K, sink);
  term.add_matrix(plain, -factor * weights.k * K, sink);
}
}  // namespace symdyn
