#include <algorithm>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// *NODE.
namespace symdyn::abaqus
{
namespace
{
/// Words 4 to 6 of a line; 0: it gives none.
Triple normal_of(const Scanner &scanner, const Line &line)
{
  constexpr std::size_t first = 4;
  Triple normal{};
  for (std::size_t d = 0; d < normal.size() && first + d < line.words.size(); ++d)
    if (const std::string &word = line.words[first + d]; !word.empty() && !parse_real(word, normal[d]))
      scanner.fail_at(line.number, word, "a direction cosine of the normal of a node is expected here: a finite number.");
  return normal;
}

class Nodes : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"NODE"}}; }
  void read_mesh(Model &model, const Keyword &card) override;
  void name_cells(Model &model, const Keyword &card) override { refuse_normals_of_solids(model, card); }
  void begin(Job &job) override
  {
    for (const Keyword &card : job.before)
      if (card.name == "NODE")
        refuse_normals_of_solids(job.model, card);
  }

private:
  static void refuse_normals_of_solids(const Model &model, const Keyword &card);
};
SYMDYN_REGISTER(Translator, Nodes, "nodes");

void Nodes::read_mesh(Model &model, const Keyword &card)
{
  require_options(model.scanner, card, {"NSET"});
  for (const Line &line : card.data)
  {
    const std::vector<std::string> &words = line.words;
    constexpr std::size_t most = 4, with_normal = 7;  // a number, coordinates, direction cosines
    for (std::size_t i = with_normal; i < words.size(); ++i)
      if (double value = 0; !words[i].empty() && (!parse_real(words[i], value) || value != 0.))
        model.scanner.fail_at(line.number, words[i],
                              "a node has a number, up to 3 coordinates and 3 direction cosines of its normal. Remove what stands behind.");
    dealii::Point<3> x;  // coordinates that are left out are 0
    for (std::size_t d = 1; d < std::min(words.size(), most); ++d)
      if (!words[d].empty() && !parse_real(words[d], x[d - 1]))
        model.scanner.fail_at(line.number, words[d], "a coordinate of a node is expected here: a finite number.");
    const long tag = model.number(line, words[0], "the number of a node");
    model.mesh.add_node(model.scanner, line.number, tag, x);
    if (const Triple normal = normal_of(model.scanner, line); norm(normal) > 0.)
      model.mesh.normals[model.mesh.nodes.size() - 1] = unit(normal);
    if (card.has("NSET"))
      model.set(model.node_sets, model.required(card, "NSET"), card.line).members.push_back(model.mesh.nodes.size() - 1);
  }
}

void Nodes::refuse_normals_of_solids(const Model &model, const Keyword &card)
{
  for (const Line &line : card.data)
    if (constexpr std::size_t first = 4; !model.thin && norm(normal_of(model.scanner, line)) > 0.)
      model.scanner.fail_at(line.number, line.words[first],
                            "the normal of a node (direction cosines behind its coordinates) has no effect: the file has no shells and no "
                            "beams. Remove it.");
}
}  // namespace
}  // namespace symdyn::abaqus
