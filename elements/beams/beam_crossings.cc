#include <fmt/format.h>

#include "elements/beams/beam_part.h"
#include "solver/base/log.h"

// Beams that meet others where neither has a node.
namespace symdyn
{
void Beam::check_crossings(SitePlan &plan) const
{
  const auto &all = plan.shared<PartPlaces>();
  const auto check = [&](const std::string &entry, const int node) {
    const std::string other = all.crossed_by(plan, {course.places[node], course.positions[node]});
    if (other.empty())
      return;
    const std::string text = fmt::format(
        "lies on the beam '{}', to which it would not be joined: beams meet at ends, points and nodes of shells. Divide '{}' there, put a "
        "point where it has a node, or move this end off it",
        other, other);
    if (is_straight())
      deck->fail(entry, text);
    log_warning(fmt::format("{}: an end {}", deck->where(entry), text));  // a file may join it by other means
  };
  if (is_straight())
  {
    check("From", 0);
    check("To", int(course.places.size()) - 1);
  }
  else
    for (const BeamCut &end : ends_of(course))
      check("Groups", end.at_start ? course.elements[end.element].nodes.front() : course.elements[end.element].nodes.back());
  for (const auto &[other, X] : all.crossings(plan, called))
    log_warning(
        fmt::format("{}: the beam '{}' crosses {} at ({:g}, {:g}, {:g}) m and is not joined to it. Where they shall be one, divide both "
                    "at a point there",
                    deck->where(), called, other == called ? "itself" : "'" + other + "'", X[0], X[1], X[2]));
}
}  // namespace symdyn
