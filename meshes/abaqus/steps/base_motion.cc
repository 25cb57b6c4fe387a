#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *BASE MOTION: whatever *BOUNDARY holds along a component moves along it, by an amplitude.
namespace symdyn::abaqus
{
namespace
{
struct Motion
{
  int component;
  bool acceleration;
};

Motion read_motion(const Job &job, const Keyword &card, const Step &step)
{
  require_options(job.model.scanner, card, {"DOF", "AMPLITUDE", "TYPE"});
  if (!step.traits.linear)
    job.fail(card.line, "*BASE MOTION", "is of *MODAL DYNAMIC and *STEADY STATE DYNAMICS. Prescribe the motion by *BOUNDARY.");
  if (step.periodic)
    job.fail(card.line, "*BASE MOTION", "is harmonic, and HARMONIC=NO is not. Prescribe the motion by *BOUNDARY, AMPLITUDE=.");
  if (job.bodiless)
    refuse_without_cells(job, card, "prescribe the motion of nodes by *BOUNDARY.");
  job.model.required(card, "DOF");
  job.model.required(card, "AMPLITUDE");
  amplitude(job, card);
  const long component = job.model.number({card.line, {}}, card.option("DOF"), "the component");
  if (component < 1 || component > job.dim)
    job.fail(card.line, "DOF=" + card.option("DOF"), fmt::format("is 1 to {}.", job.dim));
  for (const Keyword &other : step.inside)
    if (other.name == "BASE MOTION" && other.line < card.line &&
        job.model.number({other.line, {}}, other.option("DOF"), "the component") == component)
      job.fail(card.line, "DOF=" + card.option("DOF"),
               fmt::format("the *BASE MOTION of {} moves this component in the same step. Add the amplitudes, or make two steps.",
                           job.model.scanner.place(other.line)));
  const std::string type = upper(card.option("TYPE"));
  if (!type.empty() && type != "ACCELERATION" && type != "DISPLACEMENT")
    job.fail(card.line, "TYPE=" + type, "is ACCELERATION (the default) or DISPLACEMENT.");
  return {int(component) - 1, type != "DISPLACEMENT"};
}

class BaseMotion : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"BASE MOTION", Where::step, {}, 0}}; }
  Turn turn() const override { return Turn::moved_supports; }
  void read(Job &job, const Keyword &card, Step *step) override;
  void end_step(Job &job, Step &) override
  {
    job.supports.held.insert(job.supports.held.end(), moved.begin(), moved.end());
    moved.clear();
  }

private:
  std::vector<Held> moved;  ///< in the present step
};
SYMDYN_REGISTER(Translator, BaseMotion, "base motion");

/// In *MODAL DYNAMIC: as *BOUNDARY with the value 1 and this amplitude, of all nodes that are held along the component.
void BaseMotion::read(Job &job, const Keyword &card, Step *step)
{
  const Motion motion = read_motion(job, card, *step);
  if (step->procedure != "MODAL DYNAMIC")
    return;
  const std::size_t s = step - job.steps.data();
  if (motion.acceleration)
    job.fail(
        card.line, "TYPE=ACCELERATION",
        "of *BASE MOTION is of *STEADY STATE DYNAMICS. In *MODAL DYNAMIC give the displacement (TYPE=DISPLACEMENT), integrated twice.");
  Held by{fmt::format("base motion {}", motion.component + 1), card.line, s, false, {}, {}, &card};
  by.value[motion.component] = 1.;
  by.lines[motion.component] = card.line;
  const Owners owners_then = owners_of_steps(job)[s];
  for (const auto &[place, owner] : owners_then)
    if (place.second == motion.component)
      by.nodes.push_back(place.first);
  if (by.nodes.empty())
    job.fail(card.line, "DOF=" + card.option("DOF"), "no *BOUNDARY holds this component of any node: nothing would move.");
  for (const std::size_t node : by.nodes)
    if (transform_of(job, node) >= 0)
      job.fail(card.line, "*BASE MOTION",
               fmt::format("moves nodes along the coordinates; node {} has axes of its own (*TRANSFORM).", job.model.mesh.numbers[node]));
  moved.push_back(by);
}
}  // namespace

/// In *STEADY STATE DYNAMICS: a base that shakes. The amplitude is a function of the frequency there, and must be one number.
void write_base_motion(Job &job, const Step &step, const std::string &path)
{
  std::vector<double> size(job.dim, 0.);
  const Keyword *first = nullptr;
  bool acceleration = false;
  for (const Keyword &card : step.inside)
    if (card.name == "BASE MOTION")
    {
      const Motion motion = read_motion(job, card, step);
      if (first && motion.acceleration != acceleration)
        job.fail(card.line, "*BASE MOTION", "is an acceleration here and a displacement there. Make two steps.");
      const std::vector<double> &values = amplitude(job, card)->a;
      if (std::any_of(values.begin(), values.end(), [&](const double a) { return a != values.front(); }))
        job.fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
                 "changes with the frequency; harmonic motions have constant amplitudes. Make a step for each part of it.");
      size[motion.component] = values.front();
      acceleration = motion.acceleration;
      first = &card;
    }
  if (!first)
    return;
  job.out.add(first->line, path, acceleration ? "Base acceleration" : "Base displacement", written(size));
  job.out.add(first->line, path, "Base frame", "absolute");
}
}  // namespace symdyn::abaqus
