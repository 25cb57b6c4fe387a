#include "elements/beams/beam_hinge.h"

#include <fmt/format.h>

#include "elements/beams/beam_part.h"
#include "elements/gram/director_nodes.h"
#include "elements/gram/held_rotation.h"
#include "elements/gram/hinge_names.h"
#include "solver/base/log.h"
#include "solver/base/number.h"

// Ends of beams that do not transmit all moments.
namespace symdyn
{
namespace
{
constexpr int axis_of_torsion = 2;
const char *const names_of_axes[] = {"the moment about axis 1", "the moment about axis 2", "the torque"};
const char *const names_of_releases = "torsion, moment 1, moment 2, moments, all";
}  // namespace

BeamRelease BeamRelease::named(const std::string &name)
{
  BeamRelease release;
  if (name == "all")
    release.about.fill(true);
  else if (name == "moments")
    release.about[0] = release.about[1] = true;
  else if (name == "moment 1" || name == "moment 2")
    release.about[name == "moment 1" ? 0 : 1] = true;
  else if (name == "torsion")
    release.about[axis_of_torsion] = true;
  return release;
}

void BeamRelease::add(const std::string &name, const std::string &entry, const std::string &item, const Parameters &p)
{
  const BeamRelease more = named(name);
  if (more.count() == 0)
    p.fail(entry, fmt::format("'{}' is no release. There are {}", item, names_of_releases));
  for (std::size_t axis = 0; axis < about.size(); ++axis)
  {
    if (about[axis] && more.about[axis])
      p.fail(entry, fmt::format("'{}' releases {}, which is released already. Name each moment once: remove the item, or the other one",
                                item, names_of_axes[axis]));
    about[axis] = about[axis] || more.about[axis];
  }
}

BeamRelease Beam::release_at(const std::string &end, const Parameters &p) const
{
  const std::string entry = end == "from" ? "Release at From" : "Release at To";
  BeamRelease release;
  for (const std::string &name : end == "from" ? release_at_from : release_at_to)
    release.add(name, entry, name, p);
  const bool is_hinged = std::find(hinged.begin(), hinged.end(), end) != hinged.end();
  if (p.given(entry) && release.count() == 0)
    p.fail(entry, fmt::format("is empty. Name some of {}, or remove the entry", names_of_releases));
  if (is_hinged && release.count() > 0)
    p.fail("Hinged", fmt::format("'{}' has a {}, too. Keep one of both", end, entry));
  if (is_hinged)
    release = BeamRelease::named("all");
  return release;
}

void Beam::check_releases(const Parameters &p) const
{
  const BeamRelease from_end = release_at("from", p), to_end = release_at("to", p);
  for (const auto &[end, release] : {std::pair{"from", from_end}, {"to", to_end}})
    if (release.count() == 3 && std::find(clamped.begin(), clamped.end(), end) != clamped.end())
      p.fail(entry_of_release(end), fmt::format("'{}' is Clamped, too. Keep one of both", end));
  if (from_end.about[axis_of_torsion] && to_end.about[axis_of_torsion])
    p.fail(entry_of_release("to"),
           from_end.count() == 3 && to_end.count() == 3
               ? "with hinges at both ends the beam would turn about its axis. Keep one of them, or take a bar (Bars)"
               : "both ends release the torsion, so that the beam would turn about its axis: a mechanism. Release it at one end");
}

std::string Beam::entry_of_release(const std::string &end) const
{
  if (std::find(hinged.begin(), hinged.end(), end) != hinged.end())
    return "Hinged";
  return end == "from" ? "Release at From" : "Release at To";
}

void Beam::find_hinges()
{
  for (const char *end : {"from", "to"})
    if (const BeamRelease release = release_at(end, *deck); release.count() > 0)
    {
      const std::vector<BeamCut> ends =
          is_straight() ? std::vector<BeamCut>{{"from", 0, true}, {"to", course.elements.size() - 1, false}} : ends_of(course);
      const auto cut = std::find_if(ends.begin(), ends.end(), [&](const BeamCut &one) { return one.name == end; });
      if (cut == ends.end())
        deck->fail(entry_of_release(end), "the lines of the beam are not one open line, which has two ends. Name elements by Releases");
      hinges.push_back({cut->element, cut->at_start ? 0 : course.elements[cut->element].nodes.size() - 1, release, entry_of_release(end)});
    }
  for (const std::string &text : releases)
    add_named_hinge(text);
}

void Beam::add_named_hinge(const std::string &text)
{
  const std::size_t first = text.find(' '), second = first == std::string::npos ? first : text.find(' ', first + 1);
  const auto number = number_from<long>(text.substr(0, first));
  const std::string end = second == std::string::npos ? "" : text.substr(first + 1, second - first - 1);
  const std::string name = second == std::string::npos ? "" : text.substr(second + 1);
  const BeamRelease release = BeamRelease::named(name);
  if (!number || (end != "from" && end != "to") || release.count() == 0)
    deck->fail("Releases", fmt::format("'{}': an item is the number of an element, from or to, and one of {}, as in 12 from moment 1", text,
                                       names_of_releases));
  const auto found = std::find_if(course.elements.begin(), course.elements.end(),
                                  [&](const BeamCourse::Element &element) { return element.number == *number; });
  if (found == course.elements.end())
    deck->fail("Releases", fmt::format("'{}': the beam has no element {}", text, *number));
  const std::size_t e = found - course.elements.begin(), a = end == "from" ? 0 : found->nodes.size() - 1;
  const auto same = std::find_if(hinges.begin(), hinges.end(), [&](const BeamHinge &one) { return one.element == e && one.end == a; });
  if (same != hinges.end())
    same->release.add(name, "Releases", text, *deck);
  else
    hinges.push_back({e, a, release, "Releases"});
  const auto torsion = [&](const BeamHinge &one) { return one.element == e && one.release.about[axis_of_torsion]; };
  if (std::count_if(hinges.begin(), hinges.end(), torsion) > 1)
    deck->fail(
        "Releases",
        fmt::format("both ends of element {} release the torsion, so that it would turn about its axis: a mechanism. Release it at one end",
                    *number));
}

const BeamHinge *Beam::hinge_at(const std::size_t element, const std::size_t end) const
{
  const auto found =
      std::find_if(hinges.begin(), hinges.end(), [&](const BeamHinge &one) { return one.element == element && one.end == end; });
  return found == hinges.end() ? nullptr : &*found;
}

std::string Beam::name_of(const BeamHinge &hinge) const
{
  const std::string element = hinge.entry == "Releases" ? std::to_string(course.elements[hinge.element].number) + "_" : "";
  return called + ".hinge_" + element + (hinge.end == 0 ? "from" : "to");
}

GramVectors Beam::axes_of(const BeamHinge &hinge) const
{
  const BeamCourse::Directors &d = course.elements[hinge.element].directors[hinge.end];
  return {d[0], d[1], cross(d[0], d[1])};
}

void Beam::plan_hinge(SitePlan &plan, const BeamHinge &hinge) const
{
  const int axis = hinge.release.single(true);
  plan.shared<DirectorNodes>().release(course.places[node_of(hinge)]);
  if (hinge.release.count() == 1)
    plan.shared<DirectorNodes>().hinge(course.places[node_of(hinge)], axes_of(hinge)[axis], axis != axis_of_torsion);
}

void Beam::join_hinge(SitePlan &plan, BeamHinge &hinge)
{
  auto &nodes = plan.shared<DirectorNodes>();
  const SitePlan::Site place = course.places[node_of(hinge)];
  const GramVectors axes = axes_of(hinge);
  const int shared_axis = hinge.release.count() == 1 ? hinge.release.single(true) : -1;
  if (hinge.release.count() < 3 && nodes.is_body(place))
    deck->fail(hinge.entry,
               "the end is at a rigid body, with which a hinge about an axis shares no column. Release all, or put the hinge one "
               "element away from the body");
  if (hinge.release.count() < 3 && is_straight() && !nodes.is_used(place))  // supports may hold nodes of a mesh
    deck->fail(hinge.entry,
               "no other beam, shell or coupling turns there, and nothing holds the rotation: the end transmits no moment at all, and a "
               "release has no effect. Clamp the end (Clamped), join it, or remove the entry");
  if (hinge.release.count() == 3 && is_straight() && !nodes.is_used(place) && !nodes.is_body(place) && nodes.releases(place) == 1)
    deck->fail(hinge.entry,
               "no other beam, shell, coupling or rigid body turns there, and a Fixed point holds no rotation: the end transmits no moment "
               "at all, and a ball joint has no effect. Remove the entry, or join what the end is to turn against");
  if (shared_axis >= 0)
    hinge.together = nodes.directors(plan, place);
  for (int d = 0; d < (shared_axis == axis_of_torsion ? 3 : 2); ++d)
    if (d == shared_axis)
      hinge.directors.push_back(nodes.sum(plan, place, axes[d]));
    else
    {
      hinge.own.push_back(plan.append({axes[d], true, place}));
      plan.shared<HingeNames>().of[hinge.own.back()] = name_of(hinge);
      hinge.directors.push_back({{hinge.own.back(), 1.}});
    }
  hinge.together.insert(hinge.together.end(), hinge.own.begin(), hinge.own.end());
  if (shared_axis == axis_of_torsion && nodes.take_massless(place, axes[axis_of_torsion]))
    light.push_back({hinge.directors.back().front().first, {}, hinge.together});
  if (hinge.release.count() == 2)
    carry_last_moment(plan, hinge);
}

void Beam::add_turning(BeamHinge &hinge)
{
  hinge.turning = turning.size();
  turning.push_back({node_of(hinge), hinge.own, hinge.directors, hinge.release.count() == 1});
  std::vector<SitePlan::Site> &sites = turning.back().sites;
  for (const SiteSum &director : hinge.directors)
    if (director.size() > 1)
      not_exact = deck->where(hinge.entry) + ": axes of hinges at one node are at an angle. Set Elements/Directors = elastic";
    else if (std::find(sites.begin(), sites.end(), director.front().first) == sites.end())
      sites.push_back(director.front().first);
  if (hinge.release.count() == 2)
    not_exact =
        deck->where(hinge.entry) +
        ": releases two of three moments, for which directors are elastic. Set Elements/Directors = elastic, or release one, or all";
}

void Beam::carry_last_moment(SitePlan &plan, const BeamHinge &hinge)
{
  auto &nodes = plan.shared<DirectorNodes>();
  const int node = node_of(hinge);
  const SitePlan::Site place = course.places[node];
  const int carried = hinge.release.single(false);
  const GramVectors axes = axes_of(hinge);
  PartInSystem::Relation relation{fmt::format("{} ({})", called, hinge.entry), deck->where(hinge.entry), {}};
  double of_node = 0;
  const auto add = [&](const std::vector<SitePlan::Site> &sites, const GramVectors &basis, const double sign) {
    const GramVectors all = rotation_about(axes[carried], basis);
    for (std::size_t i = 0; i < sites.size(); ++i)
      for (int d = 0; d < 3; ++d)
        if (all[i][d] != 0.)
          relation.shares.push_back({sites[i], d, sign * all[i][d]});
    for (const GramVector &one : all)
      of_node += sign < 0. ? norm(one) : 0.;
  };
  add(hinge.own, {axes[0], axes[1]}, 1.);
  if (nodes.has(place))
    add(nodes.directors(plan, place), nodes.basis(place), -1.);
  constexpr double nothing = 1e-6;
  if (of_node < nothing && !is_clamped(node))
    deck->fail(hinge.entry, fmt::format("releases all but {}, which nothing else resists there. Release all, or join what resists it",
                                        names_of_axes[carried]));
  if (!linear)
    log_warning(
        fmt::format("{}: {} is transmitted by an equation for small rotations, which is wrong in large ones. Release one moment, or "
                    "all, where an end turns by more than about 0.1 rad",
                    deck->where(hinge.entry), names_of_axes[carried]));
  plan.join(hinge.together);
  relations.push_back(std::move(relation));
}
}  // namespace symdyn
