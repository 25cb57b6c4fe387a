#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *NORMAL: normals of shells, and axes 2 of beams, at nodes of elements.
namespace symdyn::abaqus
{
namespace
{
class Normals : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"NORMAL", Where::model, Options{"TYPE"}}}; }
  Turn turn() const override { return Turn::remarks; }
  void read_mesh(Model &model, const Keyword &card) override;
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, Normals, "normals");

bool has_node(const FileElement &element, const unsigned int node)
{
  const auto corners_end = element.nodes.begin() + node_count(element.shape);
  return std::find(element.nodes.begin(), corners_end, node) != corners_end ||
         std::find(element.middles.begin(), element.middles.end(), node) != element.middles.end();
}

Triple normal_of(const Model &model, const Line &line)
{
  Triple normal{};
  constexpr std::size_t first = 2;
  for (std::size_t d = 0; d < normal.size(); ++d)
    if (const std::string word = model.word(line, first + d); !word.empty())
      normal[d] = model.real(line, word, "a component of a normal");
  if (norm(normal) == 0.)
    model.scanner.fail_at(line.number, join(line.words),
                          "a line has an element or a set, a node or a set, and three components of the normal, not all 0.");
  return unit(normal);
}

void Normals::read_mesh(Model &model, const Keyword &card)
{
  if (const std::string type = upper(card.option("TYPE")); card.has("TYPE") && type != "ELEMENT")
    model.scanner.fail_at(card.line, "TYPE=" + card.option("TYPE"), "normals are those of elements: TYPE=ELEMENT. Remove the others.");
  for (const Line &line : card.data)
  {
    const Triple normal = normal_of(model, line);
    bool any = false;
    const std::vector<std::size_t> nodes = model.nodes_of(line, model.word(line, 1));
    for (const std::size_t e : model.elements_of(line, model.word(line, 0)))
    {
      if (!is_thin(model.types[e]))
        model.scanner.fail_at(line.number, line.words[0],
                              fmt::format("element {} is of type {}: shells and beams have normals. Remove the line.",
                                          model.mesh.elements[e].number, model.types[e]));
      for (const std::size_t node : nodes)
        if (has_node(model.mesh.elements[e], node))
        {
          model.mesh.normals_of_elements[{e, node}] = normal;
          any = true;
        }
    }
    if (!any)
      model.scanner.fail_at(line.number, line.words[0] + ", " + line.words[1],
                            "no such element has such a node. A line has an element or a set, a node or a set, and the normal.");
  }
}

/// CalculiX 2.20 stops at normals of beams: axis 2 is that of Abaqus, where its manual has axis 1.
void Normals::read(Job &job, const Keyword &card, Step *)
{
  for (const Line &line : card.data)
    for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
      if (job.model.mesh.elements[e].shape == Shape::line)
      {
        job.out.warn(line.number, "*NORMAL",
                     "of beams is axis 2 of the section, as in Abaqus; CalculiX 2.20 stops at it, and its manual has axis 1");
        return;
      }
}
}  // namespace
}  // namespace symdyn::abaqus
