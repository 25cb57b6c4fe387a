#include <fmt/format.h>

#include <algorithm>

#include "elements/contact/contact_part.h"
#include "elements/contact/laws/staged_law.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

// What stages change of a contact: Stages/<name>/Contact changes/<contact>.
namespace symdyn
{
void ContactPart::declare_changes(const Parameters &p)
{
  const Parameters stages = p.root().section("Stages");
  std::vector<std::string> names = stages.named_sections();
  if (const std::string any = "<name>"; called == any)  // the deck reference
    names = {any};
  for (std::size_t stage = 0; stage < names.size(); ++stage)
  {
    Parameters of_stage = stages.section(names[stage]).section("Contact changes").section(called);
    Change change{stage, law_name, stiffness, entries, friction, stick_slope, of_stage};
    if (!changes.empty())
      change = {stage,
                changes.back().law_name,
                changes.back().stiffness,
                changes.back().entries,
                changes.back().friction,
                changes.back().stick_slope,
                of_stage};
    declare_change(change);
    if (of_stage.exists())
      changes.push_back(change);
  }
  for (const Change &change : changes)
    check_change(change);
}

/// What the deck does not give is that of the stage before; with another law nothing is.
void ContactPart::declare_change(Change &change)
{
  Parameters &p = change.deck;
  const std::string before = change.law_name;
  p.add("Law", change.law_name, "law of the contact from this stage on; default: that of the stage before");
  if (change.law_name != before)
  {
    change.stiffness = "auto";
    change.entries = {};
  }
  p.add("Stiffness", change.stiffness, "k [Pa/m] from this stage on, or `auto`, as in Contact");
  p.add("Pressure", change.entries.pressure, "of exponential and tension [Pa], from this stage on", positive());
  p.add("Distance", change.entries.distance, "of exponential and tension [m], from this stage on", positive());
  p.add("Pressures", change.entries.pressures, "of table, from this stage on");
  p.add("Closures", change.entries.closures, "of table, from this stage on");
  p.add("Friction", change.friction, "coefficient mu from this stage on", not_negative());
  p.add("Stick slope", change.stick_slope, "k_t [Pa/m] from this stage on, or `auto`, as in Contact");
}

void ContactPart::check_change(const Change &change) const
{
  const Parameters &p = change.deck;
  const std::vector<std::string> laws = Registry<ContactLaw>::instance().names();
  if (std::count(laws.begin(), laws.end(), change.law_name) == 0)
    p.fail("Law", "must be one of " + symdyn::join(nearest_first(change.law_name, laws)));
  const auto other = Registry<ContactLaw>::instance().make(change.law_name);
  if (law->holds() || law->has_multipliers() || other->holds() || other->has_multipliers())
    p.fail(p.given("Law") ? "Law" : "",
           "a contact with Law = hard or tied does not change, and none becomes one. Keep the law in all stages");
  if (law->is_barrier() != other->is_barrier())
    p.fail("Law", "a barrier stands in a layer of the bodies, which other laws do not have. Keep the law in all stages");
  const std::vector<std::string> used = other->entries();
  for (const char *entry : {"Stiffness", "Pressure", "Distance", "Pressures", "Closures"})
    if (p.given(entry) && std::count(used.begin(), used.end(), entry) == 0)
      p.fail(entry, fmt::format("has no effect with Law = {}. Remove the entry", change.law_name));
  if (change.friction == 0. && p.given("Stick slope"))
    p.fail("Stick slope", "has no effect without Friction. Remove the entry, or give Friction");
  for (const auto &[entry, text] : {std::pair{"Stiffness", change.stiffness}, {"Stick slope", change.stick_slope}})
    if (const auto number = number_from<double>(text); text != "auto" && !(number && *number > 0.))
      p.fail(entry, "must be a number > 0 [Pa/m], or `auto`");
}

/// mu over all stages.
double ContactPart::largest_friction() const
{
  double mu = friction;
  for (const Change &change : changes)
    mu = std::max(mu, change.friction);
  return mu;
}

/// Of each stage: the number of the change that holds in it; -1: none yet.
std::vector<int> ContactPart::changes_of_stages() const
{
  std::vector<int> of_stages(deck->root().section("Stages").named_sections().size(), -1);
  for (std::size_t i = 0; i < changes.size(); ++i)
    std::fill(of_stages.begin() + long(changes[i].stage), of_stages.end(), int(i));
  return of_stages;
}

void ContactPart::stage_laws(const Surface &surface)
{
  if (changes.empty())
    return;
  std::vector<std::shared_ptr<const ContactLaw>> changed, of_stages;
  for (const Change &change : changes)
  {
    ContactEntries given = change.entries;
    given.layer = entries.layer;
    given.inside = entries.inside;
    given.face = surface.size;
    const std::shared_ptr<ContactLaw> one = Registry<ContactLaw>::instance().make(change.law_name);
    given.stiffness = stiffness_of(*one, change.stiffness, surface, change.deck);
    if (const auto [entry, rule] = one->take(given); !rule.empty())
      change.deck.fail(entry, rule);
    changed.push_back(one);
    const double k = one->stiffness();
    words_of_changes += fmt::format("; from stage {}: {}{}{}", deck->root().section("Stages").named_sections()[change.stage],
                                    change.law_name, k > 0. ? ", k = " + units.in_stress_over_length(k) : "",
                                    largest_friction() > 0. ? fmt::format(", friction {:g}", change.friction) : "");
  }
  for (const int change : changes_of_stages())
    of_stages.push_back(change < 0 ? law : changed[change]);
  law = std::make_shared<StagedLaw>(std::move(of_stages), actions);
}

std::vector<FrictionTerm::Entries> ContactPart::friction_of_stages() const
{
  const auto entries_of = [&](const double mu, const std::string &slope) {
    return FrictionTerm::Entries{mu, {number_from<double>(slope).value_or(law->stiffness())}, friction_iterations};
  };
  std::vector<FrictionTerm::Entries> of_stages;
  for (const int change : changes_of_stages())
    of_stages.push_back(change < 0 ? entries_of(friction, stick_slope) : entries_of(changes[change].friction, changes[change].stick_slope));
  if (of_stages.empty())
    of_stages.push_back(entries_of(friction, stick_slope));
  return of_stages;
}
}  // namespace symdyn
