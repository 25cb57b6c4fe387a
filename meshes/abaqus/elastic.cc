#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *ELASTIC.
namespace symdyn::abaqus
{
void DeckWriter::elastic(const Keyword &card, const Section &section, const std::string &path)
{
  require_options(model.scanner, card, {"TYPE"});
  const std::string type = compact(card.option("TYPE"));
  if (!type.empty() && type != "ISO" && type != "ISOTROPIC")
    return anisotropic(card, section, path, type);
  const Line &line = only_line(card, "E and nu, at one temperature");
  add(card.line, path, "Type", nonlinear ? "st-venant-kirchhoff" : "linear-elasticity");
  add(line.number, path, "E", written(real(line, 0, "Young's modulus")));
  add(line.number, path, "nu", written(real(line, 1, "Poisson's ratio")));
  if (plane_stress)
    add(card.line, path, "Plane", "stress");
}

/// The moduli stand in the order that the laws have them in, eight to a line, a temperature behind them.
void DeckWriter::anisotropic(const Keyword &card, const Section &section, const std::string &path, const std::string &type)
{
  static const std::map<std::string, std::size_t> counts = {
      {"ORTHO", 9}, {"ORTHOTROPIC", 9}, {"ENGINEERINGCONSTANTS", 9}, {"ANISO", 21}, {"ANISOTROPIC", 21}};
  const auto count = counts.find(type);
  if (count == counts.end())
    fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"), "the types are ISO, ORTHO, ANISO and ENGINEERING CONSTANTS.");
  if (plane_stress)
    fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"), "in plane stress cannot be computed. Use plane strain or a solid.");
  std::vector<double> values;
  for (const Line &line : card.data)
    for (std::size_t i = 0; i < line.words.size() && (i + 1 < line.words.size() || !line.words[i].empty()); ++i)
      values.push_back(real(line, i, "a modulus"));
  if (values.size() == count->second + 1)
    values.pop_back();  // the temperature, which is one
  if (values.size() != count->second)
    fail(card.line, "*ELASTIC, TYPE=" + card.option("TYPE"),
         fmt::format("has {} numbers; there must be {}, at one temperature.", values.size(), count->second));
  const std::size_t line = card.data.front().number;
  add(card.line, path, "Type", nonlinear ? "st-venant-kirchhoff-anisotropic" : "linear-elasticity-anisotropic");
  if (type == "ENGINEERINGCONSTANTS")
    for (const auto &[entry, first] : {std::pair{"E", 0}, {"nu", 3}, {"G", 6}})
      add(line, path, entry, written({values.begin() + first, values.begin() + first + 3}));
  else
    add(line, path, "Stiffness", written(values));
  if (section.orientation.empty())
    return;
  for (const Keyword &orientation : before)
    if (orientation.name == "ORIENTATION" && upper(orientation.option("NAME")) == section.orientation)
      add(orientation.data.front().number, path, "Axes", written(points_of_axes(orientation)));
}
}  // namespace symdyn::abaqus
