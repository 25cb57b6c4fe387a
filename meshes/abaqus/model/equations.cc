#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *EQUATION: sum of c u = 0 over components of nodes, along the axes that *TRANSFORM gives them.
namespace symdyn::abaqus
{
namespace
{
/// *EQUATION, REMOVE in a step: those of which the first term is named go.
void remove_equations(Job &job, const Keyword &card, const std::size_t step)
{
  if (card.options.empty() || step == 0)
    job.fail(card.line, "*EQUATION", "equations begin before the first step, and may be taken away (REMOVE, REMOVE ALL) in a later one.");
  if (card.has("REMOVE ALL"))
    for (Equation &equation : job.equations)
      equation.gone = std::min(equation.gone, step);
  for (const Line &line : card.data)
  {
    const long first = job.model.number(line, job.word(line, 1), "a component"),
               last = job.word(line, 2).empty() ? first : job.model.number(line, job.word(line, 2), "the last component");
    const std::vector<std::size_t> nodes = job.model.nodes_of(line, job.word(line, 0));
    bool any = false;
    for (Equation &equation : job.equations)
      if (equation.component >= first - 1 && equation.component < last && std::count(nodes.begin(), nodes.end(), equation.node))
      {
        equation.gone = std::min(equation.gone, step);
        any = true;
      }
    if (!any)
      job.fail(line.number, join(line.words), "no equation begins with this node and component.");
  }
}

void read_equations(Job &job, const Keyword &card)
{
  for (std::size_t l = 0; l < card.data.size();)
  {
    const Line &head = card.data[l];
    const long count = job.model.number(head, job.word(head, 0), "the number of terms");
    if (count < 1 || std::any_of(head.words.begin() + 1, head.words.end(), [](const std::string &w) { return !w.empty(); }))
      job.fail(head.number, join(head.words), "an equation begins with a line with the number of its terms alone.");
    std::vector<Term> terms;
    std::vector<std::vector<std::size_t>> nodes;  // of each term: one, or those of a set, which make an equation each
    for (++l; long(terms.size()) < count; ++l)
    {
      if (l >= card.data.size())
        job.fail(head.number, join(head.words), fmt::format("the equation has {} terms, here are only {}.", count, terms.size()));
      const Line &line = card.data[l];
      std::vector<std::string> words = line.words;
      while (!words.empty() && words.back().empty())
        words.pop_back();
      if (words.size() % 3 != 0)
        job.fail(line.number, join(words), "a term is a node, a component and a factor.");
      for (std::size_t i = 0; i + 2 < words.size(); i += 3)
      {
        const long component = job.model.number(line, words[i + 1], "a component");
        if (component < 1 || component > job.dim)
          job.fail(line.number, words[i + 1], fmt::format("the component is 1 to {}: nodes of solids do not rotate.", job.dim));
        nodes.push_back(job.model.nodes_of(line, words[i]));
        if (nodes.back().size() != 1 && nodes.back().size() != nodes.front().size())
          job.fail(line.number, words[i],
                   fmt::format("this set has {} nodes, and the first term has {}. Give sets of one size, or one node.", nodes.back().size(),
                               nodes.front().size()));
        terms.push_back({0, int(component) - 1, job.model.real(line, words[i + 2], "a factor")});
      }
    }
    if (long(terms.size()) > count)
      job.fail(head.number, join(head.words), fmt::format("the equation has {} terms, here are {}.", count, terms.size()));
    for (std::size_t k = 0; k < nodes.front().size(); ++k)
    {
      for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i].node = nodes[i][nodes[i].size() > 1 ? k : 0];
      write_equation(job, terms, head.number);
    }
  }
}

class Equations : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"EQUATION", Where::model, Options{}}, {"EQUATION", Where::step, Options{"REMOVE", "REMOVE ALL"}}};
  }
  Turn turn() const override { return Turn::equations; }
  void read(Job &job, const Keyword &card, Step *step) override
  {
    if (step)
      remove_equations(job, card, step - job.steps.data());
    else
      read_equations(job, card);
  }
};
SYMDYN_REGISTER(Translator, Equations, "equations");
}  // namespace
}  // namespace symdyn::abaqus
