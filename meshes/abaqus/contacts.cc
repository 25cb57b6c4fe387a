#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/surface_pairs.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// Surfaces that touch each other.
namespace symdyn::abaqus
{
namespace
{
/// *CONTACT PAIR, with what its *SURFACE INTERACTION says.
class ReadContacts : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"CONTACT PAIR", Where::model, Options{"INTERACTION", "TYPE", "SMALL SLIDING", "ADJUST"}},
            {"SURFACE INTERACTION", Where::model, Options{"NAME"}},
            {"SURFACE BEHAVIOR", Where::model, Options{"PRESSURE-OVERCLOSURE"}},
            {"FRICTION", Where::model, Options{}},
            {"CLEARANCE", Where::model, Options{"MASTER", "SLAVE", "VALUE"}, 0},
            {"CHANGE FRICTION", Where::step, Options{"INTERACTION"}, 0},
            {"FRICTION", Where::step, Options{}},
            {"CHANGE SURFACE BEHAVIOR", Where::step, Options{"INTERACTION"}, 0},
            {"SURFACE BEHAVIOR", Where::step, Options{"PRESSURE-OVERCLOSURE"}},
            {"CONTACT DAMPING", Where::model, Options{}},
            {"MODEL CHANGE", Where::step, Options{"TYPE", "ADD", "REMOVE"}}};
  }
  Turn turn() const override { return Turn::loads; }
  void read(Job &job, const Keyword &card, Step *step) override;
  void begin_step(Job &, Step &) override { changing = nullptr; }
  void end_step(Job &job, Step &step) override;

private:
  struct Interaction
  {
    const Keyword *law = nullptr, *friction = nullptr, *damping = nullptr;
  };
  static Interaction interaction(const Job &job, const Keyword &pair);
  /// What a pair has become.
  struct Pair
  {
    std::string name, interaction;
    bool tied = false, of_nodes = false, rubs = false;
  };
  static void add_friction(Job &job, const Keyword &friction, const std::string &section, bool tied);
  static void add_linear(Job &job, const Keyword &behaviour, const std::string &section, const std::string &what, bool of_nodes);
  static void add_table(Job &job, const Keyword &behaviour, const std::string &section);
  static void add_law(Job &job, const Keyword &behaviour, const std::string &section, bool of_nodes);
  static void check_place(const Job &job, const Keyword &card);
  static void check_use(Job &job, const Keyword &interaction);
  void change(const Job &job, const Keyword &card);
  static void adjust(Job &job, const Keyword &pair, const std::string &section);
  static bool shrinks(const Job &job, const std::array<std::string, 2> &surfaces);
  static bool is_cleared(const Job &job, const std::array<std::string, 2> &surfaces);
  void change_friction(Job &job, const Keyword &card, const std::string &section, const Pair &pair);
  void read_in_step(Job &job, const Keyword &card, const Step &step);
  void clear(Job &job, const Keyword &card);
  void read_pairs(Job &job, const Keyword &card);
  std::set<std::string> iterated;
  static constexpr const char *friction_iterations = "2";
  std::map<std::array<std::string, 2>, Pair> pairs;  ///< by their surfaces, in upper case
  const Keyword *changing = nullptr;                 ///< the last *CHANGE of a step
  bool changes = false;                              ///< a *MODEL CHANGE has been read
  std::set<std::string> apart;                       ///< contacts that *MODEL CHANGE has taken away
};
SYMDYN_REGISTER(Translator, ReadContacts, "contacts");

/// What the interaction that a pair names says.
ReadContacts::Interaction ReadContacts::interaction(const Job &job, const Keyword &pair)
{
  const std::string name = pair.option("INTERACTION");
  if (name.empty())
    job.fail(pair.line, "*CONTACT PAIR", "needs INTERACTION=NAME of a *SURFACE INTERACTION.");
  const auto &all = job.before;
  const auto is_it = [&](const Keyword &card) { return card.name == "SURFACE INTERACTION" && upper(card.option("NAME")) == upper(name); };
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  const auto again = found == all.end() ? found : std::find_if(found + 1, all.end(), is_it);
  if (again != all.end())
    job.fail(again->line, "*SURFACE INTERACTION, NAME=" + name, "is there twice. Keep one of them.");
  if (found == all.end())
    job.fail(pair.line, "*CONTACT PAIR, INTERACTION=" + name, "there is no *SURFACE INTERACTION of this name.");
  Interaction it;
  for (auto card = found + 1; card != all.end() && card->name != "SURFACE INTERACTION"; ++card)
    for (const auto &[keyword, of] : {std::pair{"SURFACE BEHAVIOR", &it.law}, {"FRICTION", &it.friction}, {"CONTACT DAMPING", &it.damping}})
      if (card->name == keyword && *of)
        job.fail(card->line, std::string("*") + keyword, "is the second one of the *SURFACE INTERACTION '" + name + "'. Keep one of them.");
      else if (card->name == keyword)
        *of = &*card;
  if (!it.law)
    job.fail(found->line, "*SURFACE INTERACTION, NAME=" + name, "has no *SURFACE BEHAVIOR behind it: no law of pressure.");
  return it;
}

/// Its line: mu, and CalculiX's stick slope.
void ReadContacts::add_friction(Job &job, const Keyword &card, const std::string &section, const bool tied)
{
  if (card.data.size() != 1)
    job.fail(card.line, "*FRICTION", "needs one line of data: the coefficient mu and, if wanted, the stick slope.");
  const Line &line = card.data.front();
  const double mu = job.real(line, 0, "the coefficient mu"), slope = job.word(line, 1).empty() ? 0. : job.real(line, 1, "the stick slope");
  if (tied)
  {
    if (slope > 0.)
      job.out.add(line.number, section, "Stick slope", written(slope));
    return;
  }
  if (mu != 0.)
  {
    job.out.add(line.number, section, "Friction", written(mu));
    if (!job.word(line, 1).empty())
      job.out.add(line.number, section, "Stick slope", written(slope));
    job.out.add(card.line, section, "Friction iterations", friction_iterations);
  }
}

void ReadContacts::check_use(Job &job, const Keyword &interaction)
{
  const bool used = std::any_of(job.before.begin(), job.before.end(), [&](const Keyword &card) {
    return card.name == "CONTACT PAIR" && upper(card.option("INTERACTION")) == upper(interaction.option("NAME"));
  });
  if (!used)
    job.out.warn(interaction.line, "*SURFACE INTERACTION, NAME=" + interaction.option("NAME"), "has no effect: no *CONTACT PAIR names it");
}

/// It belongs to the interaction before it.
void ReadContacts::check_place(const Job &job, const Keyword &card)
{
  const bool behind = std::any_of(job.before.begin(), job.before.end(),
                                  [&](const Keyword &other) { return other.name == "SURFACE INTERACTION" && other.line < card.line; });
  if (!behind)
    job.fail(card.line, "*" + card.name, "stands in front of the first *SURFACE INTERACTION. Put it behind the one that it belongs to.");
}

void ReadContacts::add_table(Job &job, const Keyword &card, const std::string &section)
{
  std::vector<double> pressures, closures;
  for (const Line &row : card.data)
  {
    pressures.push_back(job.real(row, 0, "a pressure"));
    closures.push_back(job.real(row, 1, "an overclosure"));
  }
  const std::size_t line = card.data.front().number;
  job.out.add(line, section, "Law", "table");
  job.out.add(line, section, "Pressures", written(pressures));
  job.out.add(line, section, "Closures", written(closures));
}

/// K, and of nodes the tension of open ones and the clearance up to which it acts, which faces do not have.
void ReadContacts::add_linear(Job &job, const Keyword &card, const std::string &section, const std::string &what, const bool of_nodes)
{
  const Line &line = card.data.front();
  job.out.add(line.number, section, "Stiffness", written(job.real(line, 0, "K")));
  if (const double tension = job.real_or(line, 1, 0., "the tension"); of_nodes && tension != 0.)
  {
    job.out.add(line.number, section, "Law", "tension");
    job.out.add(line.number, section, "Pressure", written(tension));
    if (!job.word(line, 2).empty())
      job.out.add(line.number, section, "Distance", written(job.real(line, 2, "the clearance c0")));
    return;
  }
  for (std::size_t i = 1; i < 3; ++i)
    if (job.real_or(line, i, 0., "a tension or a clearance") != 0.)
      job.out.warn(line.number, what, "the tension at large clearances has no effect: bodies that do not touch are not held");
  job.out.add(line.number, section, "Law", "linear");
}

void ReadContacts::add_law(Job &job, const Keyword &card, const std::string &section, const bool of_nodes)
{
  if (!card.has("PRESSURE-OVERCLOSURE"))
    job.fail(card.line, "*SURFACE BEHAVIOR", "needs PRESSURE-OVERCLOSURE=LINEAR, EXPONENTIAL, TABULAR, HARD or TIED.");
  const std::string law = compact(card.option("PRESSURE-OVERCLOSURE"));
  const std::string what = "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=" + card.option("PRESSURE-OVERCLOSURE");
  const auto need = [&](const std::size_t words, const std::string &text) {
    if (card.data.empty() || card.data.front().words.size() < words)
      job.fail(card.line, what, "needs a line of data: " + text + ".");
  };
  const std::size_t line = card.data.empty() ? card.line : card.data.front().number, lines = law == "HARD" ? 0 : 1;
  if (law != "TABULAR" && card.data.size() > lines)
    job.fail(card.data[lines].number, join(card.data[lines].words), "is a line too many of " + what + ".");
  if (law == "LINEAR")
  {
    need(1, "the slope K");
    add_linear(job, card, section, what, of_nodes);
  }
  else if (law == "HARD")
  {
    job.out.add(line, section, "Law", "hard");
  }
  else if (law == "EXPONENTIAL")
  {
    need(2, "the clearance c0, at which 1 % of the pressure is left, and the pressure p0 at touching");
    job.out.add(line, section, "Law", "exponential");
    job.out.add(line, section, "Distance", written(job.real(card.data.front(), 0, "c0")));
    job.out.add(line, section, "Pressure", written(job.real(card.data.front(), 1, "p0")));
  }
  else if (law == "TABULAR")
  {
    need(2, "a pressure and its overclosure");
    add_table(job, card, section);
  }
  else if (law == "TIED")
  {
    need(1, "the slope K");
    job.out.add(line, section, "Law", "tied");
    job.out.add(line, section, "Stiffness", written(job.real(card.data.front(), 0, "K")));
  }
  else
    job.fail(card.line, what, "is LINEAR, EXPONENTIAL, TABULAR, HARD or TIED.");
}

/// *MODEL CHANGE, TYPE=CONTACT PAIR: pairs go or come with the step.
void ReadContacts::change(const Job &job, const Keyword &card)
{
  if (compact(card.option("TYPE")) != "CONTACTPAIR")
    job.fail(card.line, "*MODEL CHANGE, TYPE=" + card.option("TYPE"), "elements stay. TYPE=CONTACT PAIR alone can be read.");
  if (card.has("ADD") == card.has("REMOVE"))
    job.fail(card.line, "*MODEL CHANGE", "needs ADD or REMOVE.");
  require_lines(job, card);
  changes = true;
  for (const Line &line : card.data)
  {
    const auto pair = pairs.find({upper(job.word(line, 0)), upper(job.word(line, 1))});
    if (pair == pairs.end())
      job.fail(line.number, join(line.words), "is no *CONTACT PAIR of this file: the dependent surface comes first.");
    if (card.has("ADD"))
      apart.erase(pair->second.name);
    else
      apart.insert(pair->second.name);
  }
}

void ReadContacts::end_step(Job &job, Step &step)
{
  if (!changes)
    return;
  std::vector<std::string> acting;
  for (const auto &[surfaces, pair] : pairs)
    if (apart.count(pair.name) == 0)
      acting.push_back(pair.name);
  job.out.add(step.line, "Stages/" + step.name, "Contact", apart.empty() ? "all" : acting.empty() ? "none" : join(acting));
}

void ReadContacts::adjust(Job &job, const Keyword &pair, const std::string &section)
{
  const std::string to = pair.option("ADJUST");
  const Set *nodes = job.model.set_of_nodes(to);
  job.out.add(pair.line, section, "Start", "adjust");
  job.out.add(pair.line, section, nodes ? "Adjust nodes" : "Tolerance", nodes ? nodes->name : to);
}

/// Whether an overlap comes over the first step, as CalculiX takes it.
bool ReadContacts::shrinks(const Job &job, const std::array<std::string, 2> &surfaces)
{
  return job.steps.front().procedure == "STATIC" && !job.steps.front().perturbation && !is_cleared(job, surfaces);
}

void ReadContacts::read_pairs(Job &job, const Keyword &card)
{
  require_lines(job, card);
  const std::string type = compact(card.option("TYPE"));
  if (type != "NODETOSURFACE" && type != "SURFACETOSURFACE" && type != "MORTAR" && type != "LINMORTAR")
    job.fail(card.line, "*CONTACT PAIR, TYPE=" + card.option("TYPE"), "is NODE TO SURFACE, SURFACE TO SURFACE, MORTAR or LINMORTAR.");
  const Interaction it = interaction(job, card);
  for (const Line &line : card.data)
  {
    const std::string name = job.out.fresh("Contact", job.word(line, 0)), section = "Contact/" + name;
    const std::string law = compact(it.law->option("PRESSURE-OVERCLOSURE"));
    const bool of_beams = !beams_of(job, job.word(line, 0)).empty() || !beams_of(job, job.word(line, 1)).empty();
    const bool of_nodes = type == "NODETOSURFACE" && law != "HARD" && law != "TIED" && !of_beams;
    const std::array<std::string, 2> surfaces{upper(job.word(line, 0)), upper(job.word(line, 1))};
    const auto boundary = [&](const std::size_t word) {
      const std::string beams = beams_of(job, job.word(line, word));
      return beams.empty() ? side_of(job, line, boundary_of(job, card, line, word, of_nodes && word == 0)) : beams;
    };
    job.contacts[surfaces] = name;
    pairs[surfaces] = {name, upper(card.option("INTERACTION")), law == "TIED", of_nodes, it.friction != nullptr};
    job.out.add(line.number, section, "Between", boundary(0) + ", " + boundary(1));
    if (of_nodes)
      job.out.add(card.line, section, "Points", "nodes");
    else
      job.out.add(card.line, section, "Pairing", of_beams ? "points" : "segments");
    if (card.has("ADJUST"))
      adjust(job, card, section);
    else if (law != "TIED" && !of_beams && shrinks(job, surfaces))
      job.out.add(card.line, section, "Start", "shrink");
    add_law(job, *it.law, section, of_nodes);
    if (it.friction)
      add_friction(job, *it.friction, section, law == "TIED");
    if (it.damping)
      job.out.add(it.damping->line, section, "Damping", written(job.real(job.only_line(*it.damping, "the damping c"), 0, "the damping c")));
    if (type == "NODETOSURFACE" && !of_beams)
      job.out.warn(card.line, "*CONTACT PAIR, TYPE=NODE TO SURFACE",
                   of_nodes ? "fails the patch test: stresses beside the contact are off by tens of percent where nodes do not fit. Write "
                              "TYPE=SURFACE TO SURFACE"
                            : "is computed by the faces of both surfaces (segments), which this law needs");
  }
}

bool ReadContacts::is_cleared(const Job &job, const std::array<std::string, 2> &surfaces)
{
  return std::any_of(job.before.begin(), job.before.end(), [&](const Keyword &card) {
    return card.name == "CLEARANCE" && upper(card.option("SLAVE")) == surfaces[0] && upper(card.option("MASTER")) == surfaces[1];
  });
}

/// *CLEARANCE: the gap at the start, whatever the nodes have.
void ReadContacts::clear(Job &job, const Keyword &card)
{
  for (const char *option : {"MASTER", "SLAVE", "VALUE"})
    if (!card.has(option))
      job.fail(card.line, "*CLEARANCE", std::string("needs ") + option + "=.");
  const auto pair = pairs.find({upper(card.option("SLAVE")), upper(card.option("MASTER"))});
  if (pair == pairs.end())
    job.fail(card.line, "*CLEARANCE, SLAVE=" + card.option("SLAVE") + ", MASTER=" + card.option("MASTER"),
             "there is no *CONTACT PAIR of these surfaces in front of it.");
  const std::string section = "Contact/" + pair->second.name;
  job.out.add(card.line, section, "Clearance", card.option("VALUE"));
  job.out.add(card.line, section, "Start", "clearance");
}

/// *CHANGE FRICTION and *CHANGE SURFACE BEHAVIOR, and the cards behind them: from this step on.
void ReadContacts::read_in_step(Job &job, const Keyword &card, const Step &step)
{
  const bool begins = card.name.rfind("CHANGE ", 0) == 0;
  if (begins)
  {
    changing = &card;
    if (card.option("INTERACTION").empty())
      job.fail(card.line, "*" + card.name, "needs INTERACTION=NAME of a *SURFACE INTERACTION.");
    return;
  }
  if (!changing || changing->name != "CHANGE " + card.name)
    job.fail(card.line, "*" + card.name, "in a step stands behind *CHANGE " + card.name + ", INTERACTION=NAME.");
  bool used = false;
  for (const auto &[surfaces, pair] : pairs)
  {
    if (pair.interaction != upper(changing->option("INTERACTION")))
      continue;
    used = true;
    const std::string section = "Stages/" + step.name + "/Contact changes/" + pair.name;
    if (card.name == "SURFACE BEHAVIOR")
      add_law(job, card, section, pair.of_nodes);
    else
      change_friction(job, card, section, pair);
  }
  if (!used)
    job.fail(changing->line, "*" + changing->name + ", INTERACTION=" + changing->option("INTERACTION"),
             "no *CONTACT PAIR of this file has this interaction.");
  changing = nullptr;
}

void ReadContacts::change_friction(Job &job, const Keyword &card, const std::string &section, const Pair &pair)
{
  const Line &line = job.only_line(card, "the coefficient mu and, if wanted, the stick slope");
  if (pair.tied)
    job.fail(card.line, "*CHANGE FRICTION", "of a pair that is TIED has no effect. Take it out.");
  job.out.add(line.number, section, "Friction", written(job.real(line, 0, "the coefficient mu")));
  if (!job.word(line, 1).empty())
    job.out.add(line.number, section, "Stick slope", written(job.real(line, 1, "the stick slope")));
  if (!pair.rubs && iterated.insert(pair.name).second)
    job.out.add(line.number, "Contact/" + pair.name, "Friction iterations", friction_iterations);
}

void ReadContacts::read(Job &job, const Keyword &card, Step *step)
{
  if (card.name == "MODEL CHANGE")
    return change(job, card);
  if (card.name == "CLEARANCE")
    return clear(job, card);
  if (step)
    return read_in_step(job, card, *step);
  if (card.name == "SURFACE INTERACTION")
    check_use(job, card);
  if (card.name == "SURFACE BEHAVIOR" || card.name == "FRICTION" || card.name == "CONTACT DAMPING")
    check_place(job, card);
  if (card.name != "CONTACT PAIR")
    return;  // read with its pair
  read_pairs(job, card);
}
}  // namespace
}  // namespace symdyn::abaqus
