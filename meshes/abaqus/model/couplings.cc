#include "meshes/abaqus/couplings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *RIGID BODY, *COUPLING with *KINEMATIC or *DISTRIBUTING, *MPC of type BEAM.
namespace symdyn::abaqus
{
namespace
{
constexpr int dimension_of_space = 3;

class ReadCouplings : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"RIGID BODY", Where::model, Options{"NSET", "ELSET", "REF NODE", "ROT NODE", "REFNODE", "ROTNODE"}, 0},
            {"COUPLING", Where::model, Options{"REF NODE", "REFNODE", "SURFACE", "CONSTRAINT NAME", "ORIENTATION"}, 0},
            {"KINEMATIC", Where::model, Options{}},
            {"DISTRIBUTING", Where::model, Options{}},
            {"MPC", Where::model, Options{}}};
  }
  Turn turn() const override { return Turn::axes; }
  void read(Job &job, const Keyword &card, Step *step) override;
  void write(Job &job) override;

private:
  void read_rigid_body(Job &job, const Keyword &card);
  void read_coupling(Job &job, const Keyword &card);
  void read_kind(Job &job, const Keyword &card);
  void read_pairs(Job &job, const Keyword &card);
  /// Of the lines of all *MPC: how often a node is the second one.
  static std::map<std::size_t, int> followers_of(const Job &job);
  /// Of an option, also where it is written without its space.
  static std::optional<std::size_t> node_of_option(const Job &job, const Keyword &card, const std::string &first,
                                                   const std::string &second);
  static void add(Job &job, Coupled coupled, const std::string &name);

  std::optional<Coupled> begun;  ///< *COUPLING whose kind comes next
  std::string name_of_begun;
};
SYMDYN_REGISTER(Translator, ReadCouplings, "couplings");

void ReadCouplings::read(Job &job, const Keyword &card, Step *)
{
  if (job.dim != dimension_of_space)
    job.fail(card.line, "*" + card.name, "couplings are in space, and this file is in a plane. Write *EQUATION between the nodes.");
  if (card.name == "KINEMATIC" || card.name == "DISTRIBUTING")
    return read_kind(job, card);
  if (begun)
    job.fail(begun->card->line, "*COUPLING", "has no type. Add *KINEMATIC or *DISTRIBUTING behind it.");
  if (card.name == "RIGID BODY")
    read_rigid_body(job, card);
  else if (card.name == "COUPLING")
    read_coupling(job, card);
  else
    read_pairs(job, card);
}

std::optional<std::size_t> ReadCouplings::node_of_option(const Job &job, const Keyword &card, const std::string &first,
                                                         const std::string &second)
{
  const std::string option = first + " " + second, given = card.has(option) ? option : first + second;
  if (!card.has(given))
    return {};
  return job.model.node({card.line, {card.option(given)}}, card.option(given));
}

void ReadCouplings::add(Job &job, Coupled coupled, const std::string &name)
{
  coupled.section = "Couplings/" + job.out.fresh("Couplings", name);
  if (is_outer(job, coupled.reference))
    point(job, coupled.reference, coupled.card->line);
  job.couplings.of_reference.emplace(coupled.reference, job.couplings.all.size());
  if (coupled.turned)
    job.couplings.of_turned.emplace(*coupled.turned, job.couplings.all.size());
  job.couplings.all.push_back(std::move(coupled));
}

void ReadCouplings::read_rigid_body(Job &job, const Keyword &card)
{
  const auto reference = node_of_option(job, card, "REF", "NODE");
  if (!reference)
    job.fail(card.line, "*RIGID BODY", "has no REF NODE. Give it a node, about which the body turns.");
  Coupled coupled{&card, "", *reference, node_of_option(job, card, "ROT", "NODE")};
  if (card.has("NSET") == card.has("ELSET"))
    job.fail(card.line, "*RIGID BODY", "needs an NSET or an ELSET, one of both.");
  if (coupled.turned && coupled.turned == reference)
    job.fail(card.line, "*RIGID BODY",
             "REF NODE and ROT NODE are one. Leave ROT NODE out: the components 4 to 6 of REF NODE are the rotations.");
  const std::string name = card.option(card.has("NSET") ? "NSET" : "ELSET");
  if (card.has("NSET"))
    coupled.nodes = {name};
  else
  {
    std::set<long> numbers;
    for (const std::size_t e : job.model.elements_named(card))
      for (unsigned int i = 0; i < node_count(job.model.mesh.elements[e].shape); ++i)
        numbers.insert(job.model.mesh.numbers[job.model.mesh.elements[e].nodes[i]]);
    for (const std::size_t e : job.model.elements_named(card))
      for (const unsigned int middle : job.model.mesh.elements[e].middles)
        numbers.insert(job.model.mesh.numbers[middle]);
    for (const long number : numbers)
      coupled.nodes.push_back(std::to_string(number));
  }
  add(job, std::move(coupled), name);
}

void ReadCouplings::read_coupling(Job &job, const Keyword &card)
{
  const auto reference = node_of_option(job, card, "REF", "NODE");
  if (!reference)
    job.fail(card.line, "*COUPLING", "has no REF NODE.");
  if (card.has("ORIENTATION"))
    job.fail(card.line, "*COUPLING, ORIENTATION=" + card.option("ORIENTATION"), "components are along x, y, z. Leave the option out.");
  begun = Coupled{&card, "", *reference};
  const std::string surface = job.model.required(card, "SURFACE");
  name_of_begun = card.has("CONSTRAINT NAME") ? card.option("CONSTRAINT NAME") : surface;
  const auto faces = std::find_if(job.model.mesh.faces.begin(), job.model.mesh.faces.end(),
                                  [&](const auto &one) { return upper(one.first) == upper(surface); });
  if (faces != job.model.mesh.faces.end())
    begun->boundary = faces->first;
  else if (job.model.set_of_nodes(surface))
    begun->nodes = {surface};
  else
    job.fail(card.line, "*COUPLING, SURFACE=" + surface, "there is no *SURFACE of element faces or of nodes with this name.");
}

void ReadCouplings::read_kind(Job &job, const Keyword &card)
{
  if (!begun)
    job.fail(card.line, "*" + card.name, "stands behind no *COUPLING.");
  begun->distributing = card.name == "DISTRIBUTING";
  std::array<bool, components_with_rotations> given{};
  for (const Line &line : card.data)
  {
    const long first = job.model.number(line, job.word(line, 0), "the first component"),
               last = job.word(line, 1).empty() ? first : job.model.number(line, job.word(line, 1), "the last component");
    if (first < 1 || last < first || last > components_with_rotations)
      job.fail(line.number, join(line.words), "components are 1 to 6, from the first to the last.");
    std::fill(given.begin() + first - 1, given.begin() + last, true);
  }
  const bool none = std::none_of(given.begin(), given.end(), [](const bool one) { return one; });
  const auto rotations = std::count(given.begin() + dimension_of_space, given.end(), true);
  if (!none && begun->distributing && !(given[0] && given[1] && given[2]))
    job.fail(card.line, "*DISTRIBUTING", "moves the reference along 1 to 3 together. Give 1, 3 or 1, 6.");
  if (!begun->distributing && rotations > 0 && rotations < dimension_of_space && job.thin)
    job.fail(card.line, "*KINEMATIC", "rotations follow together. Give 4, 6, or none of them.");
  if (!none && !begun->distributing)
    for (int d = 0; d < dimension_of_space; ++d)
      if (given[d])
        begun->components.push_back(std::string(1, "xyz"[d]));
  if (rotations > 0 && !begun->components.empty())
    begun->components.push_back("rotations");
  if (!none && !begun->distributing && begun->components.empty())
    job.fail(card.line, "*KINEMATIC", "couples rotations alone. Give components 1 to 3, too.");
  add(job, std::move(*begun), name_of_begun);
  begun.reset();
}

std::map<std::size_t, int> ReadCouplings::followers_of(const Job &job)
{
  std::map<std::size_t, int> count;
  for (const Keyword &card : job.before)
    if (card.name == "MPC")
      for (const Line &line : card.data)
        if (line.words.size() > 2 && upper(line.words[0]) == "BEAM")
        {
          const std::vector<std::size_t> one = job.model.nodes_of(line, line.words[1]), other = job.model.nodes_of(line, line.words[2]);
          for (std::size_t i = 0; i < one.size() && !other.empty(); ++i)
            ++count[other[other.size() > 1 ? std::min(i, other.size() - 1) : 0]];
        }
  return count;
}

void ReadCouplings::read_pairs(Job &job, const Keyword &card)
{
  const std::map<std::size_t, int> count = followers_of(job);
  std::vector<std::size_t> references;  // in the order of the file
  std::map<std::size_t, std::vector<std::string>> followers;
  for (const Line &line : card.data)
  {
    const std::string type = upper(job.word(line, 0));
    if (type != "BEAM")
      job.fail(line.number, "*MPC, " + job.word(line, 0),
               type == "MEANROT" || type == "DIST"
                   ? "is not read. Hold the mean motion by *COUPLING with *DISTRIBUTING, distances by Constraints of a .prm deck."
                   : "is not read; BEAM is. Write *EQUATION between the nodes.");
    const std::vector<std::size_t> one = job.model.nodes_of(line, job.word(line, 1)), other = job.model.nodes_of(line, job.word(line, 2));
    if (other.size() != 1 && other.size() != one.size())
      job.fail(line.number, join(line.words), "the second is one node, or a set of as many as the first.");
    for (std::size_t i = 0; i < one.size(); ++i)
    {
      const std::size_t reference = other[other.size() > 1 ? i : 0];
      if (!job.turns(one[i]) && !job.turns(reference) && count.at(reference) == 1 && !is_outer(job, one[i]) && !is_outer(job, reference))
      {
        job.couplings.distances.push_back({one[i], reference, line.number});
        continue;
      }
      if (followers[reference].empty())
        references.push_back(reference);
      followers[reference].push_back(std::to_string(job.model.mesh.numbers[one[i]]));
    }
  }
  for (const std::size_t reference : references)
  {
    const auto before = std::find_if(job.couplings.all.begin(), job.couplings.all.end(),
                                     [&](const Coupled &one) { return one.card->name == "MPC" && one.reference == reference; });
    if (before != job.couplings.all.end())
    {
      before->nodes.insert(before->nodes.end(), followers.at(reference).begin(), followers.at(reference).end());
      continue;
    }
    Coupled coupled{&card, "", reference};
    coupled.nodes = followers.at(reference);
    add(job, std::move(coupled), fmt::format("beam to {}", job.model.mesh.numbers[reference]));
  }
}

std::string at(Job &job, const std::size_t node, const std::size_t line)
{
  return is_outer(job, node) ? point(job, node, line) : std::to_string(job.model.mesh.numbers[node]);
}

void write_nodes(Job &job, const Coupled &one)
{
  std::vector<std::string> names;
  for (const std::string &word : one.nodes)
  {
    const std::vector<std::size_t> members = job.model.nodes_of({one.card->line, {}}, word);
    const Set *set = job.model.set_of_nodes(word);
    if (set && std::none_of(members.begin(), members.end(), [&](const std::size_t node) { return is_outer(job, node); }))
      names.push_back(set->name);
    else
      for (const std::size_t node : members)
        if (node != one.reference)
        {
          names.push_back(at(job, node, one.card->line));
          if (is_outer(job, node) && !one.distributing)
            job.points.used.at(node).in_equation = {true, true, true};  // the coupling moves it
        }
  }
  job.out.add(one.card->line, one.section, "Nodes", join(names));
}

void ReadCouplings::write(Job &job)
{
  if (begun)
    job.fail(begun->card->line, "*COUPLING", "has no type. Add *KINEMATIC or *DISTRIBUTING behind it.");
  for (const Coupled &one : job.couplings.all)
  {
    job.out.add(one.card->line, one.section, "At", at(job, one.reference, one.card->line));
    if (!one.boundary.empty())
      job.out.add(one.card->line, one.section, "Boundaries", one.boundary);
    else
      write_nodes(job, one);
    if (one.distributing)
      job.out.add(one.card->line, one.section, "Type", "distributing");
    if (!one.components.empty())
      job.out.add(one.card->line, one.section, "Components", join(one.components));
    if (!job.nonlinear)
      job.out.add(one.card->line, one.section, "Geometry", "linear");
  }
}

/// Rotations of references that supports hold, and distances.
class CoupledRotations : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::equations; }
  void write(Job &job) override
  {
    for (const auto &[node, which] : job.couplings.of_reference)
      if (turns_by_coupling(job, node))
        write_rotation(job, node, job.couplings.all[which]);
    for (const KeptDistance &one : job.couplings.distances)
      write_distance(job, one);
  }

private:
  /// n·(u_a - u_b) = 0, n the direction from one to the other.
  static void write_distance(Job &job, const KeptDistance &kept);
  static void write_rotation(Job &job, std::size_t node, const Coupled &coupled);
};
SYMDYN_REGISTER(Translator, CoupledRotations, "coupled rotations");

void CoupledRotations::write_distance(Job &job, const KeptDistance &kept)
{
  const auto &X = job.model.mesh.nodes;
  if (job.nonlinear)
    job.fail(
        kept.line, "*MPC, BEAM",
        "between two nodes of solids keeps their distance, which is no linear equation under NLGEOM. Leave NLGEOM out, name a node that no "
        "cell has as the second one, with three nodes or more, or keep the distance by Constraints of a .prm deck.");
  std::array<double, dimension_of_space> n{};
  double length = 0;
  for (int d = 0; d < dimension_of_space; ++d)
  {
    n[d] = X[kept.one][d] - X[kept.other][d];
    length = std::hypot(length, n[d]);
  }
  if (length == 0.)
    job.fail(kept.line, "*MPC, BEAM", "its nodes are at one place. Merge them.");
  std::vector<Term> terms;
  for (const auto &[node, sign] : {std::pair{kept.one, 1.}, {kept.other, -1.}})
  {
    const auto axes = axes_at(job, node);
    for (int i = 0; i < dimension_of_space; ++i)
      terms.push_back({node, i, sign / length * (axes[i][0] * n[0] + axes[i][1] * n[1] + axes[i][2] * n[2])});
  }
  write_equation(job, terms, kept.line);
}

void CoupledRotations::write_rotation(Job &job, const std::size_t node, const Coupled &coupled)
{
  std::vector<std::string> rotation;
  std::size_t line = coupled.card->line;
  for (int d = dimension_of_space; d < components_with_rotations; ++d)
  {
    const auto of = [&](const Owners &owners) {
      const auto found = owners.find({node, d});
      return found == owners.end() ? nullptr : &job.supports.held[found->second];
    };
    const Held *first = of(job.supports.owners.front());
    for (const Owners &later : job.supports.owners)
      if (const Held *now = of(later); now != first && !(now && first && now->says_the_same(*first, d)))
        job.fail(
            (now ? now : first)->lines[d], std::to_string(job.model.mesh.numbers[node]),
            "the rotation of a reference of a coupling is held otherwise in another step, which cannot be computed. Hold it the same way in all steps.");
    if (first)
      line = first->lines[d];
    rotation.push_back(!first ? "free" : *first->value[d] != 0. ? motion_of(job, *first, d) : "0");
  }
  if (std::count(rotation.begin(), rotation.end(), "free") == dimension_of_space)
    return;
  const std::string number = std::to_string(job.model.mesh.numbers[node]);
  if (coupled.distributing)
    job.fail(line, number, "is the reference of *DISTRIBUTING, which turns with its nodes and cannot be held. Take *KINEMATIC.");
  job.out.add(line, coupled.section, "Rotation", join(rotation));
}
}  // namespace

bool turns_by_coupling(const Job &job, const std::size_t node)
{
  return job.couplings.of_reference.count(node) > 0 && !(job.turns(node) && !is_outer(job, node));
}

std::pair<std::size_t, int> meant(const Job &job, const Line &line, const std::size_t node, const int component)
{
  const auto found = job.couplings.of_turned.find(node);
  if (found == job.couplings.of_turned.end())
    return {node, component};
  if (component >= dimension_of_space)
    job.fail(line.number, join(line.words), "is the ROT NODE of a *RIGID BODY, whose components 1 to 3 are the rotations.");
  return {job.couplings.all[found->second].reference, component + dimension_of_space};
}

std::vector<std::pair<std::string, int>> meant_words(const Job &job, const Line &line, const int component)
{
  const std::vector<std::size_t> nodes = job.model.nodes_of(line, job.word(line, 0));
  if (std::none_of(nodes.begin(), nodes.end(), [&](const std::size_t node) { return job.couplings.of_turned.count(node) > 0; }))
    return {{job.word(line, 0), component}};
  std::vector<std::pair<std::string, int>> all;
  for (const std::size_t one : nodes)
  {
    const auto [node, turned] = meant(job, line, one, component);
    all.emplace_back(std::to_string(job.model.mesh.numbers[node]), turned);
  }
  return all;
}

std::string write_moment(Job &job, const Keyword &card, const Step &step, const std::size_t line, const std::size_t node,
                         const std::array<double, 3> &moment)
{
  std::array<double, 3> turned{};
  const auto axes = axes_at(job, node);
  for (int i = 0; i < dimension_of_space; ++i)
    for (int d = 0; d < dimension_of_space; ++d)
      turned[d] += moment[i] * axes[i][d];
  std::vector<std::string> formulas;
  for (const double component : turned)
    formulas.push_back(varying_value(job, card, step, component));
  const std::string on = at(job, node, line), name = job.out.fresh("Loads", "moment on " + on), path = "Moments/" + name;
  job.out.add(line, path, "At", on);
  job.out.add(line, path, "Moment", join(formulas));
  if (!step.nonlinear)
    job.out.add(line, path, "Geometry", "linear");
  return name;
}
}  // namespace symdyn::abaqus
