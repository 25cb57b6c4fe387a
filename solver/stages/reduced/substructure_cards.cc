#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/stages/reduced/substructure.h"

// Reduced models as cards of other programs.
namespace symdyn
{
namespace
{
/// 1 ... 6 of x, y, z, rx, ry, rz; 0: another axis.
int component_of(const Master &master)
{
  for (int d = 0; d < 3; ++d)
    if (master.axis[d] == 1.)
      return d + 1 + (master.turns ? 3 : 0);
  return 0;
}

/// A number of double precision in a large field.
std::string in_field(const double value)
{
  std::string text = fmt::format("{:16.9E}", value);
  text[text.find('E')] = 'D';
  return text;
}

/// A matrix of cards DMIG: its head, and its columns.
class Dmig
{
public:
  /// Grid point and component of a coordinate.
  struct Place
  {
    long grid;
    int component;
  };
  explicit Dmig(std::vector<Place> places) : places(std::move(places)) {}
  std::string symmetric(const std::string &name, const ReducedMatrix &A) const
  {
    std::string text = fmt::format("{:<8}{:<8}{:>8}{:>8}{:>8}{:>8}\n", "DMIG", name, 0, 6, 2, 0);
    for (std::size_t j = 0; j < A.n; ++j)
      text += column(name, places[j], j, [&](const std::size_t i) { return A(i, j); });
    return text;
  }
  std::string columns(const std::string &name, const std::vector<std::vector<double>> &all) const
  {
    std::string text = fmt::format("{:<8}{:<8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "DMIG", name, 0, 9, 2, 0, "", "", all.size());
    for (std::size_t j = 0; j < all.size(); ++j)
      text += column(name, {long(j) + 1, 0}, 0, [&](const std::size_t i) { return all[j][i]; });
    return text;
  }

private:
  template <class Value>
  std::string column(const std::string &name, const Place &of, const std::size_t first, const Value &value) const
  {
    std::string text = fmt::format("{:<8}{:<16}{:>16}{:>16}\n", "DMIG*", name, of.grid, of.component);
    for (std::size_t i = first; i < places.size(); ++i)
      if (value(i) != 0. || i == first)
        text += fmt::format("{:<8}{:>16}{:>16}{}\n", "*", places[i].grid, places[i].component, in_field(value(i)));
    return text;
  }
  std::vector<Place> places;
};
}  // namespace

std::string SubstructureStage::dmig(const Substructure &reduced) const
{
  std::string text = fmt::format("$ symdyn, stage {}: K {}, M {}{}{}\n", name, "KAAX", "MAAX", reduced.damped ? ", C BAAX" : "",
                                 load_names.empty() ? "" : fmt::format(", loads PAX: {}", fmt::join(load_names, ", ")));
  for (std::size_t k = 0; k < request.nodes.size(); ++k)
  {
    const auto &X = request.nodes[k].position;
    text += fmt::format("{:<8}{:>16}{:>16}{:16.9E}{:16.9E}\n{:<8}{:16.9E}\n", "GRID*", numbers[k], "", X[0], X[1], "*", X[2]);
  }
  std::vector<Dmig::Place> places;
  for (const Master &master : request.masters)
  {
    places.push_back({numbers[master.node], component_of(master)});
    if (places.back().component == 0)
      throw InputError(
          fmt::format("{}: Export = dmig: '{}' is a rotation about none of the axes x, y, z. Take npz or mat", where, master.label));
  }
  long spoint = *std::max_element(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < reduced.frequencies.size(); ++i)
  {
    places.push_back({++spoint, 0});
    text += fmt::format("{:<8}{:>8}\n", "SPOINT", spoint);
  }
  const Dmig cards(std::move(places));
  text += cards.symmetric("KAAX", reduced.K) + cards.symmetric("MAAX", reduced.M);
  if (reduced.damped)
    text += cards.symmetric("BAAX", reduced.C);
  if (!load_names.empty())
    text += cards.columns("PAX", reduced.loads);
  return text;
}

std::string SubstructureStage::mtx(const Substructure &reduced) const
{
  if (!reduced.frequencies.empty())
    throw InputError(where + ": Export = mtx: this file has masters alone. Set Fixed-interface modes = 0, or take npz, mat or dmig");
  constexpr std::size_t in_a_line = 10, numbers_in_a_line = 4;
  std::string text = fmt::format("**\n** GENERATION OF SUBSTRUCTURE\n*USER ELEMENT,NODES={:11},LINEAR\n** ELEMENT NODES\n", reduced.K.n);
  for (std::size_t i = 0; i < reduced.K.n; ++i)
    text += fmt::format("{}{:10},{}", i % in_a_line == 0 ? "**" : "", numbers[request.masters[i].node],
                        i % in_a_line + 1 == in_a_line || i + 1 == reduced.K.n ? "\n" : "");
  for (std::size_t i = 0; i < reduced.K.n; ++i)
  {
    const int component = component_of(request.masters[i]);
    if (component == 0)
      throw InputError(fmt::format("{}: Export = mtx: '{}' is a rotation about none of the axes x, y, z. Take npz or mat", where,
                                   request.masters[i].label));
    text += i == 0 ? fmt::format("{:10}\n", component) : fmt::format("{:10},{:10}\n", i + 1, component);
  }
  text += "*MATRIX,TYPE=STIFFNESS\n";
  for (std::size_t i = 0; i < reduced.K.n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      text += fmt::format("{:20.13E},{}", reduced.K(i, j), j % numbers_in_a_line + 1 == numbers_in_a_line || j == i ? "\n" : "");
  return text;
}
}  // namespace symdyn
