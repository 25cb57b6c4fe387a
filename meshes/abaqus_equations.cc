#include <fmt/format.h>

#include <cmath>
#include <set>

#include "meshes/abaqus_deck.h"
#include "solver/names.h"

// *EQUATION: sum of c u = 0 over components of nodes.
namespace symdyn::abaqus
{
namespace
{
/// The penalty is so many times as stiff as a bar of the material along an edge of a cell: equations hold to its inverse of the displacements.
constexpr double stiffness_ratio = 1e6;
}  // namespace

/// Each becomes a penalty k/2 g², g = sum of c u, with points on the nodes that it names: all schemes and static stages know it.
void DeckWriter::write_equations()
{
  std::set<long> points;
  std::size_t count = 0, first_line = 0;
  for (const Keyword &card : before)
    if (card.name == "EQUATION")
    {
      require_options(model.scanner, card, {});
      for (std::size_t l = 0; l < card.data.size();)
      {
        const Line &head = card.data[l];
        const long terms = model.number(head, word(head, 0), "the number of terms");
        if (terms < 1 || head.words.size() > 2) fail(head.number, join(head.words), "an equation begins with a line with the number of its terms alone.");
        std::string formula;
        long found = 0;
        for (++l; found < terms; ++l)
        {
          if (l >= card.data.size()) fail(head.number, join(head.words), fmt::format("the equation has {} terms, here are only {}.", terms, found));
          std::vector<std::string> words = card.data[l].words;
          while (!words.empty() && words.back().empty()) words.pop_back();
          if (words.size() % 3 != 0) fail(card.data[l].number, join(words), "a term is a node, a component and a factor.");
          for (std::size_t i = 0; i + 2 < words.size(); i += 3, ++found)
          {
            const Line &line = card.data[l];
            const long node = model.number(line, words[i], "the number of a node"), component = model.number(line, words[i + 1], "a component");
            const double factor = model.real(line, words[i + 2], "a factor"), X = model.mesh.nodes[model.mesh.node(model.scanner, line.number, node)][std::size_t(std::max(0l, std::min(component - 1, 2l)))];
            if (component < 1 || component > dim) fail(line.number, words[i + 1], fmt::format("the component is 1 to {}.", dim));
            formula += fmt::format("{}({})*(n{}.{} - ({}))", formula.empty() ? "" : " + ", factor, node, "xyz"[component - 1], X);
            if (points.insert(node).second) add(line.number, fmt::format("Points/n{}", node), "On nodes", std::to_string(node));
          }
        }
        const std::string path = fmt::format("Constraints/equation-{}", ++count);
        first_line = first_line == 0 ? head.number : first_line;
        add(head.number, path, "Law", "expression");
        add(head.number, path, "Expression", formula);
      }
    }
  if (count == 0) return;
  const FileElement *cell = nullptr;
  for (const FileElement &element : model.mesh.elements)
    if (!cell && dimension(element.shape) == dim) cell = &element;
  const double edge = model.mesh.nodes[cell->nodes[0]].distance(model.mesh.nodes[cell->nodes[1]]);
  warn(first_line, "*EQUATION", fmt::format("computed with penalties, {:g} times as stiff as the material", stiffness_ratio));
  add(first_line, "Constraints", "Treatment", "penalty");
  add(first_line, "Constraints", "omega", written(std::sqrt(stiffness_ratio * modulus * edge)));
}
}  // namespace symdyn::abaqus
