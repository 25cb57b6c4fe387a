#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elements/gram/director_nodes.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Places of the ends of beams: points or nodes of a mesh by their name, or by where they are; elsewhere a place of its own, which all
/// beams share that end there (SitePlan::shared).
class PartPlaces
{
public:
  struct End
  {
    SitePlan::Site site;
    Place position;
  };
  /// A point beside the nodes of the mesh.
  void add(const std::string &name, const End &end) { points.push_back({name, end}); }
  bool is_point(const SitePlan::Site site) const
  {
    return std::any_of(points.begin(), points.end(), [site](const Named &point) { return point.end.site == site; });
  }
  /// `entry` of `p`: a name, or three numbers [m]. Errors: InputError with the place in the deck.
  End find(SitePlan &plan, const std::vector<std::string> &given, const std::string &entry, const Parameters &p);

  /// The node of the mesh or the point that stands at a place, if there is one.
  std::optional<End> standing(const SitePlan &plan, const Place &X) const;

  /// Of the nodes of the mesh, points and ends of beams the nearest one; {}: there is none.
  std::optional<End> nearest(const SitePlan &plan, const Place &X) const;

  /// A straight beam, or an element of one on lines of a mesh, with nodes at these sites; those of a beam one after the other.
  void add_line(const std::string &name, const End &from, const End &to, const std::vector<SitePlan::Site> &sites)
  {
    lines.push_back({name, from, to, sites});
  }
  /// An end of a beam, for warnings; where: the deck gives it.
  void add_end(const std::string &where, const End &end) { ends.emplace_back(where, end); }
  const std::vector<std::pair<std::string, End>> &ends_of_beams() const { return ends; }
  /// The same of a node between the ends that is no node of a mesh and no point.
  void add_inner(const std::string &where, const End &node) { inner[where].push_back(node); }
  const std::map<std::string, std::vector<End>> &inner_of_beams() const { return inner; }
  /// The name of a line of which an end lies inside, while the line has no node there; "": there is none. Once all lines are known.
  std::string crossed_by(const SitePlan &plan, const End &end) const;
  /// Names of beams, of those added before this one and itself, whose axes cross its own where they have no node together, and where first.
  /// Once all lines are known.
  std::vector<std::pair<std::string, Place>> crossings(const SitePlan &plan, const std::string &name) const;

private:
  struct Named
  {
    std::string name;
    End end;
  };
  struct Line
  {
    std::string name;
    End from, to;
    std::vector<SitePlan::Site> sites;
  };
  std::optional<Place> crossing(const SitePlan &plan, const Line &one, const Line &other) const;
  End named(const SitePlan &plan, const std::string &name, const std::string &entry, const Parameters &p) const;
  /// Places closer than this are one [m]; `X` is a place that is asked for.
  double nearness(const SitePlan &plan, const Place &X) const;

  std::vector<Named> points;
  std::vector<End> appended;
  std::vector<Line> lines;
  std::vector<std::pair<std::string, End>> ends;
  std::map<std::string, std::vector<End>> inner;
};
}  // namespace symdyn
