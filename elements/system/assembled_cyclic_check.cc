#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/system/assembled_system.h"
#include "solver/error.h"

// What turning a sector by its angle must leave as it is.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr double rounding_of_turn = 1e-8;

/// Sites of the cut, low and high: each pair once.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of_cut(const AssembledSystem::Parts &parts)
{
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  const std::uint64_t block = parts.space->block();
  for (const SiteRelation &one : parts.relations.all->all())
    if (one.of_cut)
      pairs.emplace_back(one.terms[1].first / block, one.terms[0].first / block);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// Of these sites, on every rank: where they stand, and what supports leave, by rows. Collective.
struct HeldSite
{
  Place X{};
  std::array<double, 9> P{};
};
std::vector<HeldSite> held_sites(const AssembledSystem::Parts &parts, const std::vector<std::uint64_t> &sites)
{
  constexpr std::size_t size = 12;
  const int n = parts.space->block();
  std::vector<double> numbers(size * sites.size(), 0.);
  const auto &of_space = *parts.space->sites();
  for (std::size_t k = 0; k < sites.size(); ++k)
    if (of_space.in_local_range(sites[k]))
    {
      const int site = int(sites[k] - of_space.local_range().first);
      const double *P = parts.projector_of(site);
      for (int i = 0; i < 3; ++i)
      {
        numbers[size * k + i] = parts.space->position(site)[i];
        for (int j = 0; j < 3; ++j)
          numbers[size * k + 3 + 3 * i + j] = P && i < n && j < n ? P[n * i + j] : double(i == j);
      }
    }
  MPI::sum(numbers, parts.space->communicator(), numbers);  // one rank owns each
  std::vector<HeldSite> held(sites.size());
  for (std::size_t k = 0; k < sites.size(); ++k)
  {
    std::copy_n(&numbers[size * k], 3, held[k].X.begin());
    std::copy_n(&numbers[size * k + 3], 9, held[k].P.begin());
  }
  return held;
}

bool is_free(const HeldSite &site)
{
  for (std::size_t i = 0; i < site.P.size(); ++i)
    if (std::abs(site.P[i] - (i % 4 == 0)) > rounding_of_turn)
      return false;
  return true;
}

/// Largest entry of P_high Q - Q P_low.
double change_by_turn(const CyclicSymmetry &whole, const HeldSite &low, const HeldSite &high)
{
  double most = 0;
  for (int j = 0; j < 3; ++j)
  {
    Place unit{}, column{};
    unit[j] = 1.;
    const Place turned = whole.turned(unit, whole.angle());
    for (int i = 0; i < 3; ++i)
      column[i] = low.P[3 * i + j];
    const Place of_low = whole.turned(column, whole.angle());
    for (int i = 0; i < 3; ++i)
    {
      double of_high = 0;
      for (int k = 0; k < 3; ++k)
        of_high += high.P[3 * i + k] * turned[k];
      most = std::max(most, std::abs(of_high - of_low[i]));
    }
  }
  return most;
}

void check_supports(const AssembledSystem::Parts &parts)
{
  const CyclicSymmetry &whole = *parts.cyclic;
  std::vector<std::uint64_t> low, high;
  for (const auto &[one, other] : pairs_of_cut(parts))
  {
    low.push_back(one);
    high.push_back(other);
  }
  const std::vector<HeldSite> of_low = held_sites(parts, low), of_high = held_sites(parts, high);
  for (std::size_t k = 0; k < of_low.size(); ++k)  // where one side is free, the cut holds it like the other one
    if (!is_free(of_low[k]) && !is_free(of_high[k]) && change_by_turn(whole, of_low[k], of_high[k]) > rounding_of_turn)
      throw InputError(fmt::format(
          "{}: a support holds the node of Low at ({:.6g}, {:.6g}, {:.6g}) m otherwise than the node of High at ({:.6g}, {:.6g}, {:.6g}) m: turning "
          "the sector does not map the supports of the cut to themselves. Hold both sides alike, in directions that turn (Axes of the "
          "support), or along the axis",
          whole.where, of_low[k].X[0], of_low[k].X[1], of_low[k].X[2], of_high[k].X[0], of_high[k].X[1], of_high[k].X[2]));
}

/// Resultant of a force [N]. Collective.
Place resultant_of(const Space &space, const Vector &f)
{
  Vector unit = space.new_vector();
  Place sum{};
  for (int d = 0; d < space.block(); ++d)
  {
    space.generator(d, f, unit);
    sum[d] = unit * f;
  }
  return sum;
}

void check_rotation(const AssembledSystem::Parts &parts)
{
  const CyclicSymmetry &whole = *parts.cyclic;
  const Place across = whole.across(parts.rotation->axis), aside = whole.across(difference(parts.rotation->point, whole.point));
  const double size = length(parts.rotation->point) + length(whole.point);
  if (length(across) > rounding_of_turn || length(aside) > rounding_of_turn * size)
    throw InputError(fmt::format("{}: the frame does not turn about the axis of symmetry ({}). Give both one Axis and Point",
                                 parts.rotation->where, whole.where));
}

void check_base(const AssembledSystem::Parts &parts)
{
  for (int d = 0; d < parts.base->dimension(); ++d)
  {
    Place unit{};
    unit[d] = 1.;
    if (parts.base->moves(d) && length(parts.cyclic->across(unit)) > rounding_of_turn)
      throw InputError(
          fmt::format("{}: the base moves along {}, across the axis of symmetry, which breaks the symmetry. Model the whole, or "
                      "let the base move along the axis",
                      parts.cyclic->where, "xyz"[d]));
  }
}

/// Of what has one direction in space.
void check_weight(const AssembledSystem::Parts &parts, const Vector &f, const std::string &what, const std::string &where)
{
  const Place sum = resultant_of(*parts.space, f);
  if (length(parts.cyclic->across(sum)) > rounding_of_turn * length(sum))
    throw InputError(
        fmt::format("{}: {} pulls across the axis of symmetry, with ({:.4g}, {:.4g}, {:.4g}) N of a sector: it has one direction in "
                    "space, which breaks the symmetry. Let it act along the axis, or model the whole",
                    where, what, sum[0], sum[1], sum[2]));
}
}  // namespace

void AssembledSystem::check_cyclic() const
{
  if (!parts.cyclic)
    return;
  if (parts.frames)
    throw InputError(parts.cyclic->where + ": Elements/Directors = exact is not available with cyclic symmetry. Set Directors = elastic");
  if (!parts.where_dense.empty())
    throw InputError(parts.where_dense + ": a superelement is not available with cyclic symmetry. Make it of cells of the sector");
  check_supports(parts);
  if (parts.rotation)
    check_rotation(parts);
  if (parts.base)
    check_base(parts);
  for (const LoadInUse &use : parts.loads)
    if (use.load->is_potential())
    {
      Vector f = new_vector();
      use.load->add_force(0., f, 1., f);
      f.compress(dealii::VectorOperation::add);
      check_weight(parts, f, fmt::format("the weight '{}'", use.name), use.where);
    }
  Vector weights = new_vector();
  for (const auto &term : parts.terms)
    term->add_weight(1., weights);
  weights.compress(dealii::VectorOperation::add);
  check_weight(parts, weights, "the weight of points, beams and shells", parts.cyclic->where);
}
}  // namespace symdyn
