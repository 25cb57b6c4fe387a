#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *BASE MOTION: whatever *BOUNDARY holds along a component moves along it, by an amplitude.
namespace symdyn::abaqus
{
DeckWriter::BaseMotion DeckWriter::read_base_motion(const Keyword &card, const Step &step) const
{
  require_options(model.scanner, card, {"DOF", "AMPLITUDE", "TYPE"});
  if (!step.is_linear())
    fail(card.line, "*BASE MOTION", "is of *MODAL DYNAMIC and *STEADY STATE DYNAMICS. Prescribe the motion by *BOUNDARY.");
  if (step.periodic)
    fail(card.line, "*BASE MOTION", "is harmonic, and HARMONIC=NO is not. Prescribe the motion by *BOUNDARY, AMPLITUDE=.");
  if (bodiless)
    refuse_without_cells(card, "prescribe the motion of nodes by *BOUNDARY.");
  model.required(card, "DOF");
  model.required(card, "AMPLITUDE");
  amplitude(card);
  const long component = model.number({card.line, {}}, card.option("DOF"), "the component");
  if (component < 1 || component > dim)
    fail(card.line, "DOF=" + card.option("DOF"), fmt::format("is 1 to {}.", dim));
  for (const Keyword &other : step.inside)
    if (other.name == "BASE MOTION" && other.line < card.line &&
        model.number({other.line, {}}, other.option("DOF"), "the component") == component)
      fail(card.line, "DOF=" + card.option("DOF"),
           fmt::format("the *BASE MOTION of {} moves this component in the same step. Add the amplitudes, or make two steps.",
                       model.scanner.place(other.line)));
  const std::string type = upper(card.option("TYPE"));
  if (!type.empty() && type != "ACCELERATION" && type != "DISPLACEMENT")
    fail(card.line, "TYPE=" + type, "is ACCELERATION (the default) or DISPLACEMENT.");
  return {int(component) - 1, type != "DISPLACEMENT"};
}

/// In *MODAL DYNAMIC: as *BOUNDARY with the value 1 and this amplitude, of all nodes that are held along the component.
void DeckWriter::move_base(const std::size_t s)
{
  std::vector<Held> moved;
  for (const Keyword &card : steps[s].inside)
    if (card.name == "BASE MOTION")
    {
      const BaseMotion motion = read_base_motion(card, steps[s]);
      if (steps[s].procedure != "MODAL DYNAMIC")
        continue;
      if (motion.acceleration)
        fail(
            card.line, "TYPE=ACCELERATION",
            "of *BASE MOTION is of *STEADY STATE DYNAMICS. In *MODAL DYNAMIC give the displacement (TYPE=DISPLACEMENT), integrated twice.");
      Held by{fmt::format("base motion {}", motion.component + 1), card.line, s, false, {}, {}, &card};
      by.value[motion.component] = 1.;
      by.lines[motion.component] = card.line;
      const Owners owners_then = owners_of_steps()[s];
      for (const auto &[place, owner] : owners_then)
        if (place.second == motion.component)
          by.nodes.push_back(place.first);
      if (by.nodes.empty())
        fail(card.line, "DOF=" + card.option("DOF"), "no *BOUNDARY holds this component of any node: nothing would move.");
      for (const std::size_t node : by.nodes)
        if (transform_of(node) >= 0)
          fail(card.line, "*BASE MOTION",
               fmt::format("moves nodes along the coordinates; node {} has axes of its own (*TRANSFORM).", model.mesh.numbers[node]));
      moved.push_back(by);
    }
  held.insert(held.end(), moved.begin(), moved.end());
}

/// In *STEADY STATE DYNAMICS: a base that shakes. The amplitude is a function of the frequency there, and must be one number.
void DeckWriter::write_base_motion(const Step &step, const std::string &path)
{
  std::vector<double> size(dim, 0.);
  const Keyword *first = nullptr;
  bool acceleration = false;
  for (const Keyword &card : step.inside)
    if (card.name == "BASE MOTION")
    {
      const BaseMotion motion = read_base_motion(card, step);
      if (first && motion.acceleration != acceleration)
        fail(card.line, "*BASE MOTION", "is an acceleration here and a displacement there. Make two steps.");
      const std::vector<double> &values = amplitude(card)->a;
      if (std::any_of(values.begin(), values.end(), [&](const double a) { return a != values.front(); }))
        fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"),
             "changes with the frequency; harmonic motions have constant amplitudes. Make a step for each part of it.");
      size[motion.component] = values.front();
      acceleration = motion.acceleration;
      first = &card;
    }
  if (!first)
    return;
  add(first->line, path, acceleration ? "Base acceleration" : "Base displacement", written(size));
  add(first->line, path, "Base frame", "absolute");
}
}  // namespace symdyn::abaqus
