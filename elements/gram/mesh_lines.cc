#include "elements/gram/mesh_lines.h"

#include <cmath>
#include <map>

#include "solver/error.h"

namespace symdyn
{
namespace
{
GramVector unit_or_zero(const GramVector &a) { return norm(a) > 0. ? scaled(1. / norm(a), a) : a; }

/// Derivatives of Lagrange's functions at both ends, and in the middle.
std::vector<GramVector> tangents_of(const SurfaceMesh &mesh, const SurfaceMesh::Line &line)
{
  const GramVector &from = mesh.nodes[line.nodes[0]], &to = mesh.nodes[line.nodes[1]], chord = combination(to, -1., from);
  if (line.nodes.size() == 2)
    return {unit_or_zero(chord), unit_or_zero(chord)};
  GramVector sag = mesh.nodes[line.nodes[2]];  // of the middle node from the chord
  add(-0.5, from, sag);
  add(-0.5, to, sag);
  return {unit_or_zero(combination(chord, 4., sag)), unit_or_zero(combination(chord, -4., sag)), unit_or_zero(chord)};
}
}  // namespace

void MeshLines::set(std::shared_ptr<const SurfaceMesh> mesh, const double angle)
{
  of_deck = std::move(mesh);
  owner.assign(of_deck->lines.size(), "");
  fold = angle;
}

std::vector<std::size_t> MeshLines::take(const std::vector<std::string> &groups, const std::string &beam)
{
  const std::vector<std::size_t> taken = of_deck->lines_of(groups);
  for (const std::size_t line : taken)
  {
    if (!owner[line].empty())
      throw InputError(of_deck->lines[line].name + " belongs to the beam '" + owner[line] + "', too. Give each beam Groups of its own");
    owner[line] = beam;
  }
  return taken;
}

std::vector<std::vector<GramVector>> MeshLines::tangents(const std::vector<std::size_t> &lines) const
{
  std::vector<std::vector<GramVector>> all;
  struct End
  {
    std::size_t line;
    int end;
    bool is_smooth = false;
  };
  std::map<unsigned int, std::vector<End>> at_node;
  for (const std::size_t line : lines)
    all.push_back(tangents_of(*of_deck, of_deck->lines[line]));
  const std::vector<std::vector<GramVector>> chords = all;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (int end = 0; end < 2; ++end)
      at_node[of_deck->lines[lines[i]].nodes[end]].push_back({i, end});
  for (auto &[node, ends] : at_node)
  {
    if (ends.size() != 2)
      continue;
    const double sign = ends[0].end == ends[1].end ? -1. : 1.;  // -1: the lines run towards each other, or apart
    GramVector &one = all[ends[0].line][ends[0].end], &other = all[ends[1].line][ends[1].end];
    if (sign * dot(one, other) < std::cos(fold))
      continue;
    one = unit_or_zero(combination(one, sign, other));
    other = scaled(sign, one);
    ends[0].is_smooth = ends[1].is_smooth = true;
  }
  // Elsewhere a straight line is the chord of an arc, which leaves it at the angle at which it arrives.
  for (const auto &[node, ends] : at_node)
    for (const auto &[line, end, is_smooth] : ends)
      if (!is_smooth && all[line].size() == 2)
        all[line][end] = combination(scaled(2. * dot(chords[line][0], all[line][1 - end]), chords[line][0]), -1., all[line][1 - end]);
  return all;
}

std::string MeshLines::loose() const
{
  std::vector<bool> used(of_deck->nodes.size(), false);
  for (const SurfaceMesh::Cell &cell : of_deck->cells)
    for (const unsigned int node : cell.nodes)
      used[node] = true;
  for (std::size_t line = 0; line < owner.size(); ++line)
    for (const unsigned int node : of_deck->lines[line].nodes)
      used[node] = used[node] || !owner[line].empty();
  for (const SurfaceMesh::Line &line : of_deck->lines)
    for (const unsigned int node : line.nodes)
      if (!used[node])
        return line.name + " of group '" + of_deck->groups[line.groups.front()] +
               "' is on no triangle or quadrilateral, and no beam has it. Add a beam with these Groups, or leave the line out of the mesh";
  return "";
}
}  // namespace symdyn
