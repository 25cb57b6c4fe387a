#include <array>
#include <unordered_map>

#include "elements/system/assembled_system.h"

// The system with more degrees of freedom held.
namespace symdyn
{
namespace
{
/// Components of sites that rest.
class RestingSites : public SiteSupports
{
public:
  RestingSites(const Space &space, const std::vector<std::uint64_t> &dofs) : n(space.block()), owned(space.owned()), are_any(!dofs.empty())
  {
    const auto &sites = *space.sites();
    for (const std::uint64_t dof : dofs)
      if (const std::uint64_t site = dof / n; sites.in_local_range(site) || sites.is_ghost_entry(site))
      {
        const auto [at, is_new] = projectors.try_emplace(sites.global_to_local(site));
        for (int k = 0; k < n * n && is_new; ++k)
          at->second[k] = double(k % (n + 1) == 0);
        at->second[(n + 1) * (dof % n)] = 0.;
      }
  }
  void impose(double, const Actions &, Vector &, Vector &, Vector &) const override {}
  void project(Vector &r) const override
  {
    for (const auto &[site, P] : projectors)
      for (int d = 0; d < n && int(site) < owned; ++d)
        r.local_element(n * site + d) *= P[(n + 1) * d];
  }
  const double *projector(const unsigned int site) const override
  {
    const auto found = projectors.find(site);
    return found == projectors.end() ? nullptr : found->second.data();
  }
  bool any() const override { return are_any; }
  bool moves() const override { return false; }

private:
  int n, owned;
  bool are_any;
  std::unordered_map<unsigned int, std::array<double, 9>> projectors;
};

/// P_1 P_2 ... of an owned site, nullptr: free. The projectors of a site commute.
class JoinedProjectors
{
public:
  JoinedProjectors(std::vector<std::shared_ptr<const SiteSupports>> supports, const int n) : supports(std::move(supports)), n(n) {}
  const double *operator()(const int site)
  {
    const double *all = nullptr;
    for (const auto &one : supports)
      if (const double *P = one->projector(site))
        all = all ? multiply(all, P) : P;
    return all;
  }

private:
  const double *multiply(const double *a, const double *b)
  {
    std::array<double, 9> sums{};
    for (int i = 0; i < n * n; ++i)
      for (int k = 0; k < n; ++k)
        sums[i] += a[n * (i / n) + k] * b[n * k + i % n];
    product = sums;
    return product.data();
  }

  std::vector<std::shared_ptr<const SiteSupports>> supports;
  int n;
  std::array<double, 9> product{};
};
}  // namespace

CopiedSystem AssembledSystem::holding(const State &about, const std::vector<std::uint64_t> &dofs) const
{
  Parts more = parts;
  more.supports.push_back(std::make_shared<RestingSites>(*parts.space, dofs));
  if (parts.relations.any())
    more.relations.all = parts.relations.all->under(JoinedProjectors(more.supports, parts.space->block()));
  return copied(std::move(more), about);
}

void AssembledSystem::follow(Vector &u) const
{
  if (parts.relations.any())
    parts.relations.all->expand(u);
}
}  // namespace symdyn
