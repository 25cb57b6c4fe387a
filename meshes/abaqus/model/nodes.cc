#include <algorithm>

#include "meshes/abaqus/model.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// *NODE.
namespace symdyn::abaqus
{
namespace
{
class Nodes : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"NODE"}}; }
  void read_mesh(Model &model, const Keyword &card) override;
};
SYMDYN_REGISTER(Translator, Nodes, "nodes");

void Nodes::read_mesh(Model &model, const Keyword &card)
{
  require_options(model.scanner, card, {"NSET"});
  for (const Line &line : card.data)
  {
    const std::vector<std::string> &words = line.words;
    constexpr std::size_t most = 4;  // a number, coordinates; zeros behind them say nothing
    for (std::size_t i = most; i < words.size(); ++i)
      if (double value = 0; !words[i].empty() && (!parse_real(words[i], value) || value != 0.))
        model.scanner.fail_at(
            line.number, words[i],
            "a node has a number and up to 3 coordinates; what stands behind them (direction cosines of shells and beams) is not read. Remove it.");
    dealii::Point<3> x;  // coordinates that are left out are 0
    for (std::size_t d = 1; d < std::min(words.size(), most); ++d)
      if (!words[d].empty() && !parse_real(words[d], x[d - 1]))
        model.scanner.fail_at(line.number, words[d], "a coordinate of a node is expected here: a finite number.");
    const long tag = model.number(line, words[0], "the number of a node");
    model.mesh.add_node(model.scanner, line.number, tag, x);
    if (card.has("NSET"))
      model.set(model.node_sets, model.required(card, "NSET"), card.line).members.push_back(model.mesh.nodes.size() - 1);
  }
}
}  // namespace
}  // namespace symdyn::abaqus
