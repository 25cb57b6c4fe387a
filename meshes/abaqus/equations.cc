#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *EQUATION: sum of c u = 0 over components of nodes, along the axes that *TRANSFORM gives them.
namespace symdyn::abaqus
{
void DeckWriter::write_equations()
{
  for (const Keyword &card : before)
    if (card.name == "EQUATION")
      read_equations(card);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const Keyword &card : steps[s].inside)
      if (card.name == "EQUATION")
        remove_equations(card, s);
}

void DeckWriter::remove_equations(const Keyword &card, const std::size_t step)
{
  require_options(model.scanner, card, {"REMOVE", "REMOVE ALL"});
  if (card.options.empty() || step == 0)
    fail(card.line, "*EQUATION", "equations begin before the first step, and may be taken away (REMOVE, REMOVE ALL) in a later one.");
  if (card.has("REMOVE ALL"))
    for (Written &equation : equations)
      equation.gone = std::min(equation.gone, step);
  for (const Line &line : card.data)
  {
    const long first = model.number(line, word(line, 1), "a component"),
               last = word(line, 2).empty() ? first : model.number(line, word(line, 2), "the last component");
    const std::vector<std::size_t> nodes = model.nodes_of(line, word(line, 0));
    bool any = false;
    for (Written &equation : equations)
      if (equation.component >= first - 1 && equation.component < last && std::count(nodes.begin(), nodes.end(), equation.node))
      {
        equation.gone = std::min(equation.gone, step);
        any = true;
      }
    if (!any)
      fail(line.number, join(line.words), "no equation begins with this node and component.");
  }
}

void DeckWriter::read_equations(const Keyword &card)
{
  require_options(model.scanner, card, {});
  for (std::size_t l = 0; l < card.data.size();)
  {
    const Line &head = card.data[l];
    const long count = model.number(head, word(head, 0), "the number of terms");
    if (count < 1 || std::any_of(head.words.begin() + 1, head.words.end(), [](const std::string &w) { return !w.empty(); }))
      fail(head.number, join(head.words), "an equation begins with a line with the number of its terms alone.");
    std::vector<Term> terms;
    std::vector<std::vector<std::size_t>> nodes;  // of each term: one, or those of a set, which make an equation each
    for (++l; long(terms.size()) < count; ++l)
    {
      if (l >= card.data.size())
        fail(head.number, join(head.words), fmt::format("the equation has {} terms, here are only {}.", count, terms.size()));
      const Line &line = card.data[l];
      std::vector<std::string> words = line.words;
      while (!words.empty() && words.back().empty())
        words.pop_back();
      if (words.size() % 3 != 0)
        fail(line.number, join(words), "a term is a node, a component and a factor.");
      for (std::size_t i = 0; i + 2 < words.size(); i += 3)
      {
        const long component = model.number(line, words[i + 1], "a component");
        if (component < 1 || component > dim)
          fail(line.number, words[i + 1], fmt::format("the component is 1 to {}: nodes of solids do not rotate.", dim));
        nodes.push_back(model.nodes_of(line, words[i]));
        if (nodes.back().size() != 1 && nodes.back().size() != nodes.front().size())
          fail(line.number, words[i],
               fmt::format("this set has {} nodes, and the first term has {}. Give sets of one size, or one node.", nodes.back().size(),
                           nodes.front().size()));
        terms.push_back({0, int(component) - 1, model.real(line, words[i + 2], "a factor")});
      }
    }
    if (long(terms.size()) > count)
      fail(head.number, join(head.words), fmt::format("the equation has {} terms, here are {}.", count, terms.size()));
    for (std::size_t k = 0; k < nodes.front().size(); ++k)
    {
      for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i].node = nodes[i][nodes[i].size() > 1 ? k : 0];
      write_equation(terms, head.number);
    }
  }
}

void DeckWriter::write_equation(const std::vector<Term> &terms, const std::size_t line)
{
  std::vector<std::pair<std::pair<std::size_t, int>, double>> sums;  // along the coordinates
  for (const Term &term : terms)
  {
    const auto axis = axes_at(term.node)[term.component];
    for (int d = 0; d < dim; ++d)
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
      displacements.push_back(fmt::format("{}.{}", point(coordinate.first, line), "xyz"[coordinate.second]));
      factors.push_back(factor);
      points.at(coordinate.first).in_equation[coordinate.second] = true;
    }
  if (factors.empty())
    fail(line, "*EQUATION", "all factors are zero: it says nothing. Remove it.");
  equations.push_back({fmt::format("equation-{}", equations.size() + 1), terms.front().node, terms.front().component, steps.size()});
  const std::string path = "Equations/" + equations.back().name;
  add(line, path, "Displacements", join(displacements));
  add(line, path, "Factors", written(factors));
}
}  // namespace symdyn::abaqus
