#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *SPRING and *DASHPOT: between nodes of the body, and beside it.
namespace symdyn::abaqus
{
namespace
{
/// The line of degrees of freedom of SPRING1, SPRING2, DASHPOT1, DASHPOT2, which is taken from the card's data; the type of the card's
/// elements.
struct Dofs
{
  std::string type;
  std::array<int, 2> component{};
};

/// "first component[, second]" of the line before the constants.
Dofs take_dofs(const Job &job, Keyword &card, const std::string &kind)
{
  const std::vector<std::size_t> elements = elements_of_types(job, card, {kind + "A", kind + "1", kind + "2"});
  Dofs dofs{job.model.types[elements.front()]};
  for (const std::size_t e : elements)
    if (job.model.types[e] != dofs.type)
      job.fail(card.line, "*" + card.name,
               fmt::format("its elements are of the types {} and {}. Give each its own set.", dofs.type, job.model.types[e]));
  if (dofs.type.back() == 'A')
    return dofs;
  if (card.data.empty())
    job.fail(card.line, "*" + card.name,
             fmt::format("elements of type {} need a line with the components of their nodes before the constants.", dofs.type));
  const Line line = card.data.front();
  card.data.erase(card.data.begin());
  const std::size_t count = dofs.type.back() - '0';
  for (std::size_t i = 0; i < count; ++i)
  {
    const long component = job.model.number(line, job.word(line, i), count == 1 ? "the component of the node" : "a component of each node");
    if (component < 1 || component > job.dim)
      job.fail(line.number, job.word(line, i), fmt::format("the component is 1 to {}: these nodes do not rotate.", job.dim));
    dofs.component[i] = int(component) - 1;
  }
  for (std::size_t i = count; i < line.words.size(); ++i)
    if (!job.word(line, i).empty())
      job.fail(line.number, join(line.words),
               fmt::format("{} components of nodes are expected in the line before the constants of {}.", count, dofs.type));
  return dofs;
}

/// Type 1: e = u_i, type 2: e = u_i of the first node - u_j of the second.
void join_dofs(Job &job, const std::size_t e, const Dofs &dofs, const std::string &path)
{
  const FileElement &element = job.model.mesh.elements[e];
  const auto axis = [&](const int component, const double sign) {
    std::vector<double> n(job.dim, 0.);
    n[component] = sign;
    return written(n);
  };
  const auto name = [&](const int end) {
    const std::string of_point = point(job, element.nodes[end], element.line);
    if (transform_of(job, element.nodes[end]) >= 0)
      job.fail(element.line, fmt::format("element {}", element.number),
               fmt::format("of type {} is at a node with axes of its own (*TRANSFORM). Take it out of that set.", dofs.type));
    PointUse &use = job.points.used.at(element.nodes[end]);
    use.joined = true;
    if (path.rfind("Dashpots", 0) != 0)
      use.stiff[dofs.component[end]] = job.points.spanned[dofs.component[end]] = true;
    return of_point;
  };
  const bool dashpot = path.rfind("Dashpots", 0) == 0;
  if (dofs.type.back() == '1')
  {
    job.out.add(element.line, path, dashpot ? "Points" : "From", name(0));
    if (!dashpot)
      job.out.add(element.line, path, "To", "ground");
    job.out.add(element.line, path, "Direction", axis(dofs.component[0], -1.));
    return;
  }
  job.out.add(element.line, path, "From", name(1));
  job.out.add(element.line, path, "To", name(0));
  job.out.add(element.line, path, "Direction", axis(dofs.component[1], 1.));
  if (dofs.component[0] != dofs.component[1])
    job.out.add(element.line, path, "Direction at To", axis(dofs.component[0], 1.));
}

class Springs : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"SPRING"}}; }
  Turn turn() const override { return Turn::elements; }
  void read(Job &job, const Keyword &given, Step *) override;
};
SYMDYN_REGISTER(Translator, Springs, "spring");

void Springs::read(Job &job, const Keyword &given, Step *)
{
  give_properties(job, given);
  require_options(job.model.scanner, given, {"ELSET", "NONLINEAR"});
  Keyword card = given;
  const Dofs dofs = take_dofs(job, card, "SPRING");
  const bool along_line = dofs.type == "SPRINGA";
  const bool table = card.has("NONLINEAR");
  std::vector<double> forces, elongations;
  if (table)
    for (const Line &line : card.data)
    {
      forces.push_back(job.real(line, 0, "a force"));
      elongations.push_back(job.real(line, 1, "an elongation"));
    }
  const double k = table ? 0. : job.real(job.only_line(card, "the stiffness, after an empty line"), 0, "the stiffness");
  if (table && !job.nonlinear)
    job.fail(card.line, "*SPRING, NONLINEAR", "needs *STEP, NLGEOM: without it the spring is its first slope. Give that, or add NLGEOM.");
  for (const std::size_t e : elements_of_types(job, card, {dofs.type}))
  {
    const std::string path =
        fmt::format("Springs/{}", job.out.fresh("Springs", fmt::format("{} {}", card.option("ELSET"), job.model.mesh.elements[e].number)));
    along_line ? join_ends(job, e, path) : join_dofs(job, e, dofs, path);
    if (table)
    {
      job.out.add(card.line, path, "Law", "table");
      job.out.add(card.line, path, "Forces", written(forces));
      job.out.add(card.line, path, "Elongations", written(elongations));
      continue;
    }
    if (!job.nonlinear || !along_line)
      job.out.add(card.line, path, "Law", "small-displacement");
    job.out.add(card.line, path, "Stiffness", written(k));
  }
}

/// *GAP of GAPUNI: clearance, the direction from the first node to the second, an empty place, the stiffness.
class Gaps : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"GAP", Where::model, Options{"ELSET"}}}; }
  Turn turn() const override { return Turn::elements; }
  void read(Job &job, const Keyword &card, Step *) override;
};
SYMDYN_REGISTER(Translator, Gaps, "gap");

void Gaps::read(Job &job, const Keyword &card, Step *)
{
  give_properties(job, card);
  const Line &line = job.only_line(card, "the clearance and the direction");
  std::vector<double> n(job.dim);
  for (int d = 0; d < job.dim; ++d)
    n[d] = job.real(line, 1 + d, "a component of the direction");
  constexpr double usual = 1e12;  // of CalculiX [N/m]
  const double clearance = job.real(line, 0, "the clearance"), k = job.word(line, 5).empty() ? usual : job.real(line, 5, "the stiffness");
  if (!job.word(line, 6).empty())
    job.out.warn(line.number, "*GAP", "the tension of an open gap has no effect: it is open");
  for (const std::size_t e : elements_of_types(job, card, {"GAPUNI"}))
  {
    const std::string path =
        fmt::format("Springs/{}", job.out.fresh("Springs", fmt::format("{} {}", card.option("ELSET"), job.model.mesh.elements[e].number)));
    join_ends(job, e, path);
    job.out.add(card.line, path, "Law", "gap");
    job.out.add(line.number, path, "Direction", written(n));
    job.out.add(line.number, path, "Clearance", written(clearance));
    job.out.add(line.number, path, "Stiffness", written(k));
  }
}

class Dashpots : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DASHPOT"}}; }
  Turn turn() const override { return Turn::elements; }
  void read(Job &job, const Keyword &given, Step *) override;
};
SYMDYN_REGISTER(Translator, Dashpots, "dashpot");

void Dashpots::read(Job &job, const Keyword &given, Step *)
{
  give_properties(job, given);
  require_options(job.model.scanner, given, {"ELSET"});
  Keyword card = given;
  const Dofs dofs = take_dofs(job, card, "DASHPOT");
  if (card.data.size() > 1 && std::all_of(card.data.begin(), card.data.end(), [&](const Line &line) { return !job.word(line, 1).empty(); }))
    job.fail(card.data[1].number, "*DASHPOT",
             "a coefficient that changes with the frequency cannot be computed. Give the one of the frequency that matters.");
  const double c = job.real(job.only_line(card, "the coefficient, after an empty line"), 0, "the coefficient");
  for (const std::size_t e : elements_of_types(job, card, {dofs.type}))
  {
    const std::string path = fmt::format(
        "Dashpots/{}", job.out.fresh("Dashpots", fmt::format("{} {}", card.option("ELSET"), job.model.mesh.elements[e].number)));
    dofs.type == "DASHPOTA" ? join_ends(job, e, path) : join_dofs(job, e, dofs, path);
    job.out.add(card.line, path, "Coefficient", written(c));
  }
}
}  // namespace
}  // namespace symdyn::abaqus
