#include <algorithm>
#include <stdexcept>

#include "elements/gram/group_masses.h"
#include "elements/shells/surface_load.h"
#include "elements/space/boundary_names.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Uniform, constant gravity g [m/s²], a potential. On all masses: what the parts weigh is added to it (GravityOfParts); or on shells and
/// beams of some groups: M g of their elements.
class SurfaceGravity : public SurfaceLoad
{
public:
  void declare(Parameters &p) override
  {
    std::vector<double> given;
    p.add("Acceleration", given, "components [m/s^2], constant");
    p.add("Groups", groups, "of shells and beams of the mesh; default: all masses");
    where = p.where("Groups");
    if (given.size() != 3 || std::all_of(given.begin(), given.end(), [](const double component) { return component == 0.; }))
      p.fail("Acceleration", "needs three components, not all zero");
    refuse_repeated(p, "Groups", groups);
    std::copy(given.begin(), given.end(), g.begin());
  }
  void prepare(const SurfaceInSystem &surface) override
  {
    if (groups.empty())
      return;
    if (!surface.masses)
      throw std::logic_error("gravity on groups needs their masses");
    std::vector<int> some;
    for (const std::string &name : groups)
      some.push_back(number_of(name, surface.mesh.groups));
    const auto masses = surface.masses->of(some);
    if (masses.empty())
      throw InputError(where + ": no shell and no beam is in " + join(groups) + ". Name groups of shells or beams, or remove the load");
    for (const auto &[site, mass] : masses)
      if (surface.sites.owns(site))
        owned.emplace_back(surface.sites.local(site), mass);
  }
  void add_force(const Moment &, const Vector &, const double factor, Vector &f) const override
  {
    for (const auto &[site, mass] : owned)
      for (int d = 0; d < 3; ++d)
        f.local_element(3 * site + d) += factor * mass * g[d];
  }
  bool is_potential() const override { return true; }
  std::array<double, 3> acceleration() const override { return groups.empty() ? g : std::array<double, 3>{}; }

private:
  int number_of(const std::string &name, const std::vector<std::string> &all) const
  {
    const auto found = std::find(all.begin(), all.end(), name);
    if (found == all.end())
      throw InputError(where + ": the mesh has no group '" + name + "'" +
                       (all.empty() ? "" : "; there are: " + join(nearest_first(name, all))));
    return int(found - all.begin());
  }

  std::array<double, 3> g{};
  std::vector<std::string> groups;
  std::string where;
  std::vector<std::pair<int, double>> owned;  ///< sites of groups, and their masses [kg]
};
}  // namespace

SYMDYN_REGISTER(SurfaceLoad, SurfaceGravity, "gravity");
}  // namespace symdyn
