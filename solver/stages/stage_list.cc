#include "solver/stages/stage_list.h"
#include "solver/stages/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/results/results.h"
#include "solver/stages/motion.h"
#include "solver/stages/scheme_choice.h"
#include "solver/vibration/design_spectrum.h"

namespace symdyn
{
namespace
{
using Stages = std::vector<std::unique_ptr<Stage>>;

const std::string usual = "dynamic";

std::unique_ptr<Stage> make_stage(const std::string &type)
{
  auto stage = Registry<Stage>::instance().make(type);
  stage->type = type;
  return stage;
}

std::string declare_type(Parameters &p)
{
  std::string type = usual, help;
  const std::vector<std::string> types = Registry<Stage>::instance().names();
  for (const std::string &one : types)
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", one, make_stage(one)->meaning());
  p.add("Type", type, help, types);
  return type;
}

/// `all` and `none` stand alone.
void check_alone(const Parameters &p, const std::string &entry, const std::vector<std::string> &names)
{
  if (p.given(entry) && names.empty())
    p.fail(entry, "is empty. Name some, or write all or none");
  if (names.size() > 1 && (std::count(names.begin(), names.end(), "all") || std::count(names.begin(), names.end(), "none")))
    p.fail(entry, "`all` and `none` stand alone");
  for (const std::string &name : names)
    if (std::count(names.begin(), names.end(), name) > 1)
      p.fail(entry, fmt::format("names '{}' twice. Name it once", name));
}

/// Contacts that the entry leaves out.
void declare_contacts(Stage &stage, Parameters &p)
{
  std::vector<std::string> acting;
  p.add(
      "Contact", acting,
      "names of sections of Contact that act in this stage, `all` or `none`; default: all, about a state at rest those of the stage before");
  check_alone(p, "Contact", acting);
  std::string ties;
  p.add("Ties", ties, "there is no such choice: ties hold in all stages. A contact with Law = tied ends by Contact");
  if (p.given("Ties"))
    p.fail("Ties", "ties hold in all stages. For one that ends take a contact with Law = tied, and name it in Contact of its stages");
  const std::vector<std::string> names = p.root().section("Contact").named_sections();
  if (names.empty() && p.given("Contact"))
    p.fail("Contact", "the deck has no contacts. Remove the entry, or add a section to Contact");
  for (const std::string &name : acting)
    if (name != "all" && name != "none" && std::count(names.begin(), names.end(), name) == 0)
      p.fail("Contact", fmt::format("there is no contact '{}'; there are: {}, and `all`, `none`", name, join(nearest_first(name, names))));
  if (stage.traits().perturbation && !p.given("Contact"))
    return;
  const std::vector<bool> act = chosen(acting, names);
  stage.apart.emplace();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!act[i])
      stage.apart->push_back(names[i]);
}

void declare_stage(Stage &stage, Parameters &p)
{
  p.add(
      "Loads", stage.loads,
      "names of sections of Loads and Forces that act in this stage, `all` or `none`; default: all. harmonic: those that oscillate, while others that acted before stay; default: "
      "all that do not act yet. periodic: those that go as the cosine of a period; default: none. modes: `none`; those that acted before stay. substructure: each becomes a vector; default: all "
      "that do not act yet");
  p.add("Supports", stage.supports,
        "names of sections of Supports and of Equations that hold in this stage, `all` or `none`; default: all");
  check_alone(p, "Supports", stage.supports);
  check_alone(p, "Loads", stage.loads);
  stage.declare(p);
  declare_contacts(stage, p);
}

/// Loads that no stage of Stages can use.
void warn_of_idle_unbalances(const Parameters &root, const Stages &stages)
{
  const std::vector<std::string> names = root.section("Unbalance").named_sections();
  const auto uses = [](const auto &stage) { return stage->traits().unbalances || !stage->traits().perturbation; };
  if (!names.empty() && !stages.empty() && std::none_of(stages.begin(), stages.end(), uses))
    log_warning(
        fmt::format("{}: no stage uses it: a rotor has the same frequencies without it. Add a stage of Type = unbalance, or remove it",
                    root.section("Unbalance").section(names.front()).where()));
}

Stages read_stages(Parameters &root)
{
  Stages stages;
  const Parameters section = root.section("Stages");
  for (const std::string &name : section.named_sections())
  {
    Parameters p = section.section(name);
    stages.push_back(make_stage(declare_type(p)));
    stages.back()->name = name;
    stages.back()->where = p.where();
    stages.back()->entries = std::make_shared<Parameters>(p);
    declare_stage(*stages.back(), p);
  }
  warn_of_idle_unbalances(root, stages);
  if (stages.empty())
  {
    stages.push_back(make_stage(usual));
    stages.back()->name = usual;
  }
  return stages;
}

void check_order(const Stages &stages)
{
  bool moved = false;
  std::map<std::string, const Stage *> files;
  for (const auto &stage : stages)
  {
    const StageTraits traits = stage->traits();
    if (traits.may_end_early && stage != stages.back())
      throw InputError(stage->at("Stop when steady") +
                       ": lets the end of the stage open, and others follow. Remove the entry, or make this stage the last");
    if (const auto [other, alone] = files.emplace(Results::stem(stage->type, stage->name), stage.get()); traits.perturbation && !alone)
      throw InputError(
          fmt::format("{}: its results would have the names of those of stage '{}'. Call one of them differently by a letter or a digit",
                      stage->where, other->second->name));
    if (!traits.in_time && moved)
      throw InputError(
          fmt::format("{}: a {} stage is about a state at rest, and after a motion there is none. Put it before the stages that move",
                      stage->at("Type"), stage->type));
    moved = moved || traits.in_time;
  }
}

void tell_what_follows(const Stages &stages)
{
  int without_time = 0;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
  {
    (*stage)->followed_by(without_time);
    if (!(*stage)->traits().perturbation)
      without_time = (*stage)->traits().takes_no_time ? without_time + 1 : 0;
  }
}

/// Sections of the deck that no stage reads.
void declare_unused(Parameters &root, const TimeSections &deck)
{
  for (const auto &[name, used] : {std::pair{"Time", deck.time_used}, {"Integrator", deck.integrator_used}})
    if (!used && root.section(name).exists())
      log_warning(fmt::format("{}: no stage uses this section", root.section(name).where()));
  if (!deck.time_used)
    Motion::document_time(root.inactive_section("Time"));
  TimeStepping unused;
  if (!deck.integrator_used)
    choose_scheme(root.inactive_section("Integrator"), nullptr, unused);
}

void declare_unused_spectra(const Parameters &root, const Stages &stages)
{
  const Parameters spectra = root.section("Spectra");
  for (const std::string &name : spectra.named_sections())
    if (std::none_of(stages.begin(), stages.end(), [&](const auto &stage) {
          const std::vector<std::string> used = stage->traits().spectra;
          return std::count(used.begin(), used.end(), name) > 0;
        }))
    {
      log_warning(fmt::format("{}: no stage uses this spectrum. Name it in a stage, or remove it", spectra.section(name).where()));
      DesignSpectrum::document(spectra.inactive_section(name));
    }
}

/// Of contacts that act neither in the stage nor in a later one. Files of CalculiX change all contacts of an interaction at once.
void warn_of_idle_changes(const Parameters &root, const Stages &stages)
{
  const Parameters sections = root.section("Stages");
  for (const std::string &contact : root.section("Contact").named_sections())
  {
    bool acts = true;  // in the stage before
    std::vector<Parameters> idle;
    for (const auto &stage : stages)
    {
      acts = stage->apart ? std::count(stage->apart->begin(), stage->apart->end(), contact) == 0 : acts;
      if (acts)
        idle.clear();
      else if (const Parameters change = sections.section(stage->name).section("Contact changes").section(contact); change.exists())
        idle.push_back(change);
    }
    for (const Parameters &change : idle)
      log_warning(
          fmt::format("{0}: has no effect: contact '{1}' acts neither in this stage nor in a later one. Remove the change, or let {1} act "
                      "in a stage",
                      change.where(), contact));
  }
}

void refuse_without_effect(const Parameters &root, const Stages &stages)
{
  warn_of_idle_changes(root, stages);
  const auto none = [&](const auto &what) { return std::none_of(stages.begin(), stages.end(), what); };
  if (none([](const auto &stage) { return !stage->traits().is_static(); }) && root.section("Damping").exists())
    root.section("Damping").fail("", "has no effect: the deck has static stages only. Remove it, or add a dynamic stage");
  if (none([](const auto &stage) { return stage->traits().in_time; }) && root.section("Base motion").exists())
    root.section("Base motion").fail("", "has no effect: the deck has no stage in time. Remove it, or add a dynamic stage");
  const Parameters contacts = root.section("Contact");
  for (const std::string &name : contacts.named_sections())
    if (none([&](const auto &stage) {
          return stage->apart ? std::count(stage->apart->begin(), stage->apart->end(), name) == 0 : stage == stages.front();
        }))
      log_warning(
          fmt::format("{}: no stage uses this contact. Name it in Contact of a stage, or remove it", contacts.section(name).where()));
}
}  // namespace

std::vector<std::unique_ptr<Stage>> declare_stages(Parameters &root, const Newton &newton)
{
  Stages stages = read_stages(root);
  check_order(stages);
  tell_what_follows(stages);
  const Parameters section = root.section("Stages");
  TimeSections deck{root, root, &newton};
  double start = 0;
  for (const auto &stage : stages)
  {
    deck.own = section.section(stage->name);
    start = stage->declare_time(deck, start);
  }
  declare_unused(root, deck);
  declare_unused_spectra(root, stages);
  refuse_without_effect(root, stages);
  return stages;
}

void document_motion(Parameters time, Parameters integrator)
{
  Motion::document_time(std::move(time));
  document_schemes(std::move(integrator));
}

void document_stages(Parameters &root)
{
  DesignSpectrum::document(root.section("Spectra").section("<name>"));
  document_motion(root.section("Time"), root.section("Integrator"));
  Parameters named = root.section("Stages").section("<name>");
  declare_type(named);
  for (const std::string &type : Registry<Stage>::instance().names())
    note_entries([&] { declare_stage(*make_stage(type), named); });
}
}  // namespace symdyn
