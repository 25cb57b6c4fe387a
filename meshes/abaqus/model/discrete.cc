#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Files without solids: beams and shells, or springs, bars, dashpots and masses alone become a discrete structure.
namespace symdyn::abaqus
{
void refuse_without_cells(const Job &job, const Keyword &card, const std::string &why)
{
  job.fail(card.line, "*" + card.name,
           fmt::format("cannot be computed in a file {}: {}", job.thin ? "of beams and shells" : "without cells", why));
}

namespace
{
/// Whether nothing moves the component of a node: in statics it would have no stiffness.
bool rests(const Job &job, const std::size_t node, const int d)
{
  const PointUse &use = job.points.used.at(node);
  const bool statics = job.rests();
  return !use.forced[d] && !(job.nonlinear ? job.points.spanned[d] : use.stiff[d]) && (statics || (!use.joined && use.mass == 0.));
}

void write_start(Job &job, const std::size_t node, const std::string &path)
{
  for (const auto &[name, nodes] : job.points.start)
    if (const auto found = nodes.find(node); found != nodes.end())
      job.out.add(job.points.used.at(node).line, path, name,
                  written(std::vector<double>(found->second.begin(), found->second.begin() + job.dim)));
}
}  // namespace

bool write_held_point(Job &job, const std::size_t node, const std::string &path, const std::function<bool(int)> &stands)
{
  const std::size_t line = job.points.used.at(node).line;
  const Owners &first = job.supports.owners.front();
  std::vector<std::string> free, motion(job.dim, "0");
  bool moves = false;
  for (int d = 0; d < job.dim; ++d)
    if (const auto found = first.find({node, d}); found == first.end())
    {
      if (!stands(d))
        free.push_back(std::string(1, "xyz"[d]));
    }
    else if (const Held &by = job.supports.held[found->second]; *by.value[d] != 0.)
    {
      motion[d] = motion_of(job, by, d);
      moves = true;
    }
  const bool held = int(free.size()) < job.dim;
  if (transform_of(job, node) >= 0 && (moves || (held && !free.empty())))
    job.fail(line, std::to_string(job.model.mesh.numbers[node]),
             "this node has axes of its own (*TRANSFORM); where no cell has it, such a node is held altogether, or not at all.");
  if (held)
    job.out.add(line, path, "Fixed", "yes");
  if (held && !free.empty())
    job.out.add(line, path, "Free", join(free));
  if (moves)
    job.out.add(line, path, "Motion", join(motion));
  return !free.empty();
}

void write_alone(Job &job, const std::size_t node, const std::string &path)
{
  const PointUse use = job.points.used.at(node);
  const bool is_free = write_held_point(job, node, path, [&](const int d) { return rests(job, node, d); });
  if (is_free && use.mass == 0.)
  {
    const auto moving = std::find_if(job.steps.begin(), job.steps.end(), [](const Step &step) { return step.traits.moves; });
    if (moving != job.steps.end())
      job.fail(use.line, std::to_string(job.model.mesh.numbers[node]),
               fmt::format("this node has no mass, which the motion in {} needs. Add *MASS, or *DENSITY of its bars, or hold it.",
                           moving->name));
    job.out.add(use.line, path, "Mass", "1");  // statics do not feel it
  }
  if (is_free)
    write_start(job, node, path);
}

void start_alone(Job &job, const Line &line, const std::string &name, const std::set<std::size_t> &nodes, const int d)
{
  const double value = job.real(line, 2, "the value");
  std::vector<std::string> without_effect;
  for (const std::size_t node : nodes)
    if (job.points.used.count(node) && !job.supports.owners.front().count({node, d}) && !rests(job, node, d))
      job.points.start[name][node][d] = value;
    else
      without_effect.push_back(std::to_string(job.model.mesh.numbers[node]));
  if (value == 0. || without_effect.empty())
    return;
  constexpr std::size_t most = 8;
  const std::size_t count = without_effect.size();
  without_effect.resize(std::min(count, most));
  job.out.warn(line.number, join(line.words),
               fmt::format("has no effect on {} {}{}, which *BOUNDARY holds along component {}, or which nothing moves that way",
                           count == 1 ? "node" : "nodes", join(without_effect), count > most ? ", ..." : "", d + 1));
}

namespace
{
class Discrete : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {}; }
  Turn turn() const override { return Turn::mesh; }
  void write(Job &job) override;
};
SYMDYN_REGISTER(Translator, Discrete, "discrete");

void Discrete::write(Job &job)
{
  if (!job.discrete())
    return;
  const std::size_t line = job.model.mesh.elements.front().line;
  job.out.add(line, "", "Structure", "discrete");
  if (job.bodiless)
    job.out.add(line, "Points", "Dimension", std::to_string(job.dim));
  for (const Keyword &card : job.before)
    if (card.name == "EQUATION")
      refuse_without_cells(job, card, "write it into a .prm deck as Constraints with Law = expression.");
    else if (card.name == "DAMPING" && job.bodiless)
      refuse_without_cells(job, card, "bars have no material damping. Add dashpots.");
  for (const Step &step : job.steps)
    for (const Keyword &card : step.inside)
      if (card.name == "DSLOAD" || (card.name == "DLOAD" && job.bodiless))
        refuse_without_cells(job, card,
                             job.thin ? "load the elements of shells (*DLOAD, P)."
                                      : "forces act on nodes (*CLOAD); gravity is Points/Gravity of a .prm deck.");
      else if (card.name == "EQUATION")
        refuse_without_cells(job, card, "write it into a .prm deck as Constraints with Law = expression.");
}
}  // namespace
}  // namespace symdyn::abaqus
