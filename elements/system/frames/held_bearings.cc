#include <fmt/format.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "elements/lumped/point_supports.h"
#include "elements/rotors/at_speed.h"
#include "elements/supports/supports.h"
#include "elements/system/held_loads.h"
#include "solver/base/log.h"

namespace symdyn
{
namespace
{
/// "deck.prm:4, deck.prm:9": what holds an owned site.
std::string holders(const AssembledSystem::Parts &parts, const int site)
{
  std::vector<std::string> all;
  const auto of_mesh = [&](const auto *supports) {
    for (std::size_t i = 0; supports && i < supports->all().size(); ++i)
      if (const auto &one = supports->all()[i];
          one.holds && std::find(one.nodes.begin(), one.nodes.end(), unsigned(site)) != one.nodes.end())
        all.push_back(one.where);
  };
  for (const auto &supports : parts.supports)
  {
    of_mesh(dynamic_cast<const Supports<2> *>(supports.get()));
    of_mesh(dynamic_cast<const Supports<3> *>(supports.get()));
    if (const auto *points = dynamic_cast<const PointSupports *>(supports.get()))
      if (const std::string where = points->where(site); !where.empty())
        all.push_back(where);
  }
  return all.empty() ? "supports" : fmt::format("{}", fmt::join(all, " and "));
}

/// Of the two directions across the axis, those along which the node is held and the bearing acts.
std::vector<std::array<double, 3>> lost_directions(const AssembledSystem &system, const TermAtSpeed &bearing)
{
  constexpr double held = 1e-9;
  std::vector<std::array<double, 3>> lost;
  const int n = system.all_parts().space->block(), site = bearing.node().site;
  for (const auto &e : system.all_parts().rotation->directions())
  {
    Vector u = system.new_vector();
    const Vector rest = u;
    for (int i = 0; site >= 0 && i < n; ++i)
      u.local_element(n * site + i) = e[i];
    const BearingForms forms = bearing.forms(u, rest);
    system.project(u);
    double left = 0.;
    for (int i = 0; site >= 0 && i < n; ++i)
      left = std::max(left, std::abs(u.local_element(n * site + i)));
    if (site >= 0 && left <= held && (forms.stiffness != 0. || forms.damping != 0.))
      lost.push_back(e);
  }
  return lost;
}

std::string in_words(const std::array<double, 3> &e)
{
  for (int i = 0; i < 3; ++i)
    if (std::abs(e[i]) == 1.)
      return std::string(1, "xyz"[i]);
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", e[0], e[1], e[2]);
}
}  // namespace

void warn_of_bearings(const AssembledSystem &system)
{
  std::string text;  // of owned nodes, a line a warning
  std::map<int, std::string> others;
  each_bearing(system.all_parts().terms, [&](const TermAtSpeed &bearing) {
    const RotorNode node = bearing.node();
    std::string along;
    for (const auto &e : lost_directions(system, bearing))
      along += (along.empty() ? "" : " and ") + in_words(e);
    if (node.site < 0)
      return;
    if (!along.empty())
      text += fmt::format(
          "{}: bearing '{}' has no effect along {}: its node is held there already ({}). Remove the bearing, or what holds the "
          "node\n",
          node.where, node.name, along, holders(system.all_parts(), node.site));
    const auto [other, is_first] = others.emplace(node.site, node.where);
    if (!is_first)
      text +=
          fmt::format("{}: bearing '{}' is at the same point as that of {}: their stiffness and damping add. Remove one, unless both act\n",
                      node.where, node.name, other->second);
  });
  for (const std::string &of_rank : dealii::Utilities::MPI::all_gather(system.all_parts().space->communicator(), text))
    for (std::size_t from = 0, to; (to = of_rank.find('\n', from)) != std::string::npos; from = to + 1)
      log_warning(of_rank.substr(from, to - from));
}
}  // namespace symdyn
