#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"

namespace symdyn::abaqus
{
bool is_outer(const Job &job, const std::size_t node) { return !job.points.in_body[node]; }

std::string point(Job &job, const std::size_t node, const std::size_t line)
{
  job.points.used.emplace(node, PointUse{line});
  return fmt::format("n{}", job.model.mesh.numbers[node]);
}

void write_equation(Job &job, const std::vector<Term> &terms, const std::size_t line)
{
  std::vector<std::pair<std::pair<std::size_t, int>, double>> sums;  // along the coordinates
  for (const Term &term : terms)
  {
    const auto axis = axes_at(job, term.node)[term.component];
    for (int d = 0; d < job.dim; ++d)
      if (axis[d] != 0.)
      {
        auto same = std::find_if(sums.begin(), sums.end(), [&](const auto &s) { return s.first == std::pair{term.node, d}; });
        if (same == sums.end())
          same = sums.insert(sums.end(), {{term.node, d}, 0.});
        same->second += term.factor * axis[d];
      }
  }
  std::vector<std::string> displacements;
  std::vector<double> factors;
  for (const auto &[coordinate, factor] : sums)
    if (factor != 0.)
    {
      displacements.push_back(fmt::format("{}.{}", point(job, coordinate.first, line), "xyz"[coordinate.second]));
      factors.push_back(factor);
      job.points.used.at(coordinate.first).in_equation[coordinate.second] = true;
    }
  if (factors.empty())
    job.fail(line, "*EQUATION", "all factors are zero: it says nothing. Remove it.");
  job.equations.push_back(
      {fmt::format("equation-{}", job.equations.size() + 1), terms.front().node, terms.front().component, job.steps.size()});
  const std::string path = "Equations/" + job.equations.back().name;
  job.out.add(line, path, "Displacements", join(displacements));
  job.out.add(line, path, "Factors", written(factors));
}

std::vector<std::size_t> elements_of_types(const Job &job, const Keyword &card, const std::vector<std::string> &types)
{
  std::vector<std::size_t> found;
  for (const std::size_t e : job.model.elements_named(card))
    if (std::count(types.begin(), types.end(), job.model.types[e]))
      found.push_back(e);
    else if (card.name != "SOLID SECTION")
      job.fail(card.line, "*" + card.name,
               fmt::format("element {} is of type {}, not {}.", job.model.mesh.elements[e].number, job.model.types[e], join(types)));
  return found;
}

void give_properties(Job &job, const Keyword &card)
{
  for (const std::size_t e : job.model.elements_named(card))
    job.with_properties.insert(e);
}

void join_ends(Job &job, const std::size_t e, const std::string &path)
{
  const FileElement &element = job.model.mesh.elements[e];
  for (const int end : {0, 1})
  {
    job.out.add(element.line, path, end == 0 ? "From" : "To", point(job, element.nodes[end], element.line));
    PointUse &use = job.points.used.at(element.nodes[end]);
    use.joined = true;
    for (int d = 0; d < job.dim && path.rfind("Dashpots", 0) != 0; ++d)
      if (job.model.mesh.nodes[element.nodes[0]][d] != job.model.mesh.nodes[element.nodes[1]][d])
        use.stiff[d] = job.points.spanned[d] = true;
  }
}
}  // namespace symdyn::abaqus
