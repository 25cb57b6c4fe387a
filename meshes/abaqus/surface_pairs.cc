#include "meshes/abaqus/surface_pairs.h"

#include <algorithm>
#include <array>
#include <set>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// Surfaces that are tied, and sides of shells among surfaces.
namespace symdyn::abaqus
{
namespace
{
/// Whether nodes of beams are among them that are on no face.
bool has_nodes_of_beams(const Model &model, const Set &nodes)
{
  std::set<std::size_t> left(nodes.members.begin(), nodes.members.end()), of_beams;
  for (std::size_t e = 0; e < model.mesh.elements.size(); ++e)
  {
    const FileElement &element = model.mesh.elements[e];
    for (unsigned int i = 0; i < node_count(element.shape); ++i)
      if (dimension(element.shape) > 1)
        left.erase(element.nodes[i]);
      else if (is_thin(model.types[e]))
        of_beams.insert(element.nodes[i]);
  }
  return std::any_of(left.begin(), left.end(), [&](const std::size_t node) { return of_beams.count(node) > 0; });
}

/// Nodes of a surface have the areas of faces of solids.
void check_nodes(const Job &job, const Set &nodes, const Line &line)
{
  std::set<std::size_t> left(nodes.members.begin(), nodes.members.end());
  for (std::size_t e = 0; e < job.model.mesh.elements.size(); ++e)
    if (job.is_solid(e))
      for (const auto node : job.model.mesh.elements[e].nodes)
        left.erase(node);
  if (!left.empty())
    job.fail(line.number, join(line.words),
             "node " + std::to_string(job.model.mesh.numbers[*left.begin()]) + " of '" + nodes.name +
                 "' is on no solid element, so that it has no area. Take it out, or use *SPRING or *DASHPOT.");
}
}  // namespace

std::string boundary_of(const Job &job, const Keyword &card, const Line &line, const std::size_t word, const bool of_nodes_alone)
{
  const std::string surface = job.word(line, word);
  for (const auto &faces : job.model.mesh.faces)
    if (upper(faces.first) == upper(surface))
      return faces.first;
  if (!beams_of(job, surface).empty())
    job.fail(line.number, join(line.words), "'" + surface + "' is a surface of beams, which have no faces that *" + card.name + " needs.");
  if (const Set *nodes = job.model.set_of_nodes(surface))
  {
    if (has_nodes_of_beams(job.model, *nodes))
      job.fail(
          line.number, join(line.words),
          "'" + nodes->name + "' has nodes of beams, which have neither area nor radius. Write *SURFACE, TYPE=ELEMENT with the beams.");
    if (of_nodes_alone)
      check_nodes(job, *nodes, line);
    else if (int(nodes->members.size()) < job.dim)
      job.fail(line.number, join(line.words), "'" + surface + "' has too few nodes for a face. Give *SURFACE its element faces.");
    return nodes->name;
  }
  job.fail(line.number, join(line.words),
           surface.empty()
               ? "needs two surfaces, the dependent one first."
               : "there is no *SURFACE '" + surface + "'. The line of *" + card.name + " has two of them, the dependent one first.");
}

std::string side_of(const Job &job, const Line &line, const std::string &boundary)
{
  const auto fail = [&](const char *what) { job.fail(line.number, join(line.words), "'" + boundary + "' has " + what); };
  const auto faces = job.model.mesh.faces.find(boundary);
  std::array<std::set<std::size_t>, 2> sides;  // elements whose bottom and top it has
  bool is_of_solids = false;
  for (const FileFace &face : faces == job.model.mesh.faces.end() ? std::vector<FileFace>{} : faces->second)
  {
    const std::size_t element = job.model.element({face.line, {}}, std::to_string(face.element));
    const bool thin = dimension(job.model.mesh.elements[element].shape) == 2 && is_thin(job.model.types[element]);
    if (thin && face.label > 2)
      fail("edges of shells, which touch nothing. Name their faces: S1, S2.");
    if (thin)
      sides[face.label - 1].insert(element);
    is_of_solids |= !thin;
  }
  const auto &[bottom, top] = sides;
  if (is_of_solids && !(bottom.empty() && top.empty()))
    fail("faces of solids and of shells. Give each a *SURFACE, and a *CONTACT PAIR with it.");
  if (bottom == top)
    return boundary;
  if (!bottom.empty() && !top.empty())
    fail("the bottom (S1, SNEG) of some shells and the top (S2, SPOS) of others. Give each a surface.");
  return boundary + (top.empty() ? ".bottom" : ".top");
}

std::string beams_of(const Job &job, const std::string &surface)
{
  for (const auto &[name, elements] : job.model.axes)
    if (upper(name) == upper(surface))
    {
      const Set *set = find_set(job.model.element_sets, name);
      return set ? set->name : name;
    }
  return "";
}

void require_lines(const Job &job, const Keyword &card)
{
  if (card.data.empty())
    job.fail(card.line, "*" + card.name, "has no line with two surfaces, the dependent one first.");
}

namespace
{
class ReadTies : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"TIE", Where::model}}; }
  Turn turn() const override { return Turn::axes; }
  void read(Job &job, const Keyword &card, Step *step) override;
};
SYMDYN_REGISTER(Translator, ReadTies, "ties");

void ReadTies::read(Job &job, const Keyword &card, Step *)
{
  if (card.has("CYCLIC SYMMETRY"))  // cyclic_symmetry.cc
    return;
  require_options(job.model.scanner, card, {"NAME", "POSITION TOLERANCE", "ADJUST"});
  require_lines(job, card);
  for (const Line &line : card.data)
  {
    const std::string name = card.has("NAME") ? card.option("NAME") : job.word(line, 0);
    const std::string section = "Ties/" + job.out.fresh("Ties", name);
    job.out.add(line.number, section, "Dependent", boundary_of(job, card, line, 0));
    job.out.add(line.number, section, "Independent", boundary_of(job, card, line, 1));
    if (card.has("POSITION TOLERANCE"))
      job.out.add(card.line, section, "Tolerance", card.option("POSITION TOLERANCE"));
    if (card.has("ADJUST") && upper(card.option("ADJUST")) != "YES")
    {
      if (upper(card.option("ADJUST")) != "NO")
        job.fail(card.line, "*TIE, ADJUST=" + card.option("ADJUST"), "is YES or NO.");
      job.out.add(card.line, section, "Adjust", "no");
    }
  }
}
}  // namespace
}  // namespace symdyn::abaqus
