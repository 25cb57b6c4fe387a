#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/steps/print_places.h"
#include "meshes/abaqus/steps/print_times.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *NODE PRINT, *EL PRINT, *SECTION PRINT and *CONTACT PRINT.
namespace symdyn::abaqus
{
namespace
{
bool has_shapeless_beam(const Job &job, const Keyword &card)
{
  const Set *set = find_set(job.model.element_sets, card.option("ELSET"));
  return set && std::any_of(set->members.begin(), set->members.end(), [&](const std::size_t e) { return job.shapeless.count(e) > 0; });
}

/// Whether nodes of solids, beams and shells have temperatures in a step that are known: a step behind one whose temperatures follow time
/// keeps them in the points of the cells alone.
bool has_temperatures(const Job &job, const Step &step)
{
  const auto follows_time = [](const Step &one) {
    return one.follows_amplitudes() && std::any_of(one.inside.begin(), one.inside.end(),
                                                   [](const Keyword &card) { return card.name == "TEMPERATURE" && card.has("AMPLITUDE"); });
  };
  const bool expands = std::any_of(job.before.begin(), job.before.end(),
                                   [](const Keyword &card) { return card.name == "EXPANSION" || is_over_temperature(card); });
  return (job.solid || job.thin) && job.heats() && expands && std::none_of(job.steps.data(), &step, follows_time);
}

bool is_of_memory(const std::string &quantity) { return quantity == "PEEQ" || quantity == "PE" || quantity == "CEEQ" || quantity == "SDV"; }

/// The keyword of a material that a quantity is of, which the file does not have; empty: it has, or there is none.
std::string without_memory(const Job &job, const std::string &quantity)
{
  const std::string keyword = quantity == "SDV" ? "USER MATERIAL" : quantity == "CEEQ" ? "CREEP" : "PLASTIC";
  const bool has = std::any_of(job.before.begin(), job.before.end(),
                               [&](const Keyword &card) { return card.name == keyword || (keyword == "PLASTIC" && card.name == "CREEP"); });
  return is_of_memory(quantity) && !has ? "*" + keyword : "";
}

/// Those that can be written in the step: the rest with a warning.
std::vector<std::string> quantities_of(Job &job, const Keyword &card, const Step &step)
{
  static const std::vector<std::string> of_nodes = {"U", "V", "RF"}, of_heated = {"U", "V", "RF", "NT"},
                                        of_bodies = {"S", "E", "ENER", "PEEQ", "PE", "CEEQ", "SDV", "ELSE", "ELKE", "EVOL"},
                                        of_thin = {"SF", "S"};
  const bool elements = card.name != "NODE PRINT";
  const std::vector<std::string> &known = !elements   ? (has_temperatures(job, step) ? of_heated : of_nodes)
                                          : job.solid ? of_bodies
                                          : job.thin  ? of_thin
                                                      : of_bodies;
  const bool of_modes = has_forms(step) || step.procedure == "STEADY STATE DYNAMICS";
  std::vector<std::string> quantities;
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (const std::string quantity = upper(w); !std::count(known.begin(), known.end(), quantity))
        w.empty() ? void() : job.out.warn(line.number, "*" + card.name + " " + w, "this quantity is not written; there are " + join(known));
      else if (of_modes && (quantity == "V" || quantity == "NT" || quantity == "ELSE" || quantity == "ELKE"))
        job.out.warn(line.number, "*" + card.name + " " + quantity,
                     fmt::format("is left out of {}: *{} has no {}", step.name, step.procedure,
                                 quantity == "V"    ? "velocities"
                                 : quantity == "NT" ? "temperatures"
                                                    : "energies"));
      else if (const std::string missing = without_memory(job, quantity); !missing.empty())
        job.out.warn(line.number, "*EL PRINT " + quantity, "is not written: no material has " + missing);
      else if (of_modes && is_of_memory(quantity))
        job.out.warn(line.number, "*EL PRINT " + quantity,
                     fmt::format("is left out of {}: a *{} does not flow", step.name, step.procedure));
      else if (job.bodiless && elements && quantity != "S")
        job.out.warn(line.number, "*EL PRINT " + quantity, "is not written of bars; there is S");
      else if (!step.traits.moves && quantity == "ELKE")
        job.out.warn(line.number, "*EL PRINT ELKE", fmt::format("is left out of {}: *STATIC has no kinetic energy", step.name));
      else if (of_modes && elements && job.nonlinear && quantity != "EVOL")
        job.out.warn(line.number, "*" + card.name + " " + quantity,
                     fmt::format("is left out of {}: *{} has it with materials of small displacements only", step.name, step.procedure));
      else
      {
        if (job.thin && quantity == "S" && has_shapeless_beam(job, card))
          job.out.warn(line.number, "*EL PRINT S", "is not written of beams whose section is numbers alone: its shape is not known");
        quantities.push_back(quantity);
      }
  return quantities;
}

/// Elements of beams and shells beside solids; with a warning.
bool has_no_tables(Job &job, const Keyword &card)
{
  if (!job.solid || !job.thin || !job.any_thin({card.line, {}}, job.model.required(card, "ELSET")))
    return false;
  job.out.warn(card.line, "*EL PRINT, ELSET=" + card.option("ELSET"),
               "beams and shells beside solids have no tables: the set is left out. Their forces and stresses are in the pictures");
  return true;
}

/// The section of the table; "": there is nothing to print.
std::string write_set(Job &job, const Keyword &card, const Step &step)
{
  const bool nodes = card.name == "NODE PRINT";
  if (!nodes && has_no_tables(job, card))
    return "";
  const std::vector<std::string> quantities = quantities_of(job, card, step);
  if (quantities.empty())
    return "";
  const std::string set_name = job.model.required(card, nodes ? "NSET" : "ELSET");
  const Set *set = find_set(nodes ? job.model.node_sets : job.model.element_sets, set_name);
  if (!set)
    job.fail(card.line, "*" + card.name,
             "there is no set " + set_name + known(nodes ? job.model.node_sets : job.model.element_sets, set_name) + ".");
  const std::string path = "Tables/" + job.out.fresh("Tables", fmt::format("{} {}", step.name, set->name));
  job.out.add(card.line, path, "Stage", step.name);
  job.out.add(card.line, path, nodes ? "Nodes" : "Elements", set->name);
  job.out.add(card.line, path, "Quantities", join(quantities));
  write_print_places(job, card, *set, path);
  return path;
}

/// False: there is nothing to print.
bool write_print(Job &job, const Keyword &card, const Step &step)
{
  const bool of_surface = card.name == "SECTION PRINT";
  if (!of_surface)
    require_options(job.model.scanner, card,
                    {card.name == "NODE PRINT" ? "NSET" : "ELSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "GLOBAL", "TIME POINTS", "OUTPUT"});
  if (!is_printed(job, card))
    return false;
  const std::string path = of_surface ? write_section_print(job, card, step) : write_set(job, card, step);
  if (path.empty())
    return false;
  write_print_times(job, card, step, path);
  return true;
}

/// Tables of nodes, of elements, of surfaces and of contacts stay in force until a later step has some of their kind.
class Prints : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"NODE PRINT", Where::step},
            {"EL PRINT", Where::step},
            {"CONTACT PRINT", Where::step, Options{"MASTER", "SLAVE", "NSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "TIME POINTS"}},
            {"SECTION PRINT", Where::step, Options{"NAME", "SURFACE", "AXES", "FREQUENCY", "FREQUENCYF", "UPDATE", "TIME POINTS"}},
            {"TIME POINTS", Where::model, Options{"NAME", "TIME", "GENERATE"}, {}, true},
            {"TIME POINTS", Where::step, Options{"NAME", "TIME", "GENERATE"}}};
  }
  Turn turn() const override { return Turn::tables; }
  void name_cells(Model &model, const Keyword &card) override
  {
    if (const Set *set = card.name == "EL PRINT" ? find_set(model.element_sets, card.option("ELSET")) : nullptr)
      model.mesh.named_cells[set->name] = set->members;
    if (card.name == "SECTION PRINT")
      name_cells_at_faces(model, card);
    if (card.name == "CONTACT PRINT")
      name_faces_of_contacts(model);
  }
  void read(Job &job, const Keyword &card, Step *step) override;
  void end_step(Job &job, Step &step) override;
  void write(Job &job) override;

private:
  std::map<std::string, std::vector<Keyword>> in_force, own;  ///< by keyword; own: of the present step
  bool any = false;
};
SYMDYN_REGISTER(Translator, Prints, "prints");

void Prints::read(Job &, const Keyword &card, Step *)
{
  if (card.name == "TIME POINTS")
    return;
  std::vector<Keyword> &cards = own[card.name];
  const auto without_name = [](std::map<std::string, std::string> options) {
    options.erase("NAME");
    return options;
  };
  const auto same = std::find_if(cards.begin(), cards.end(), [&](const Keyword &other) {
    return card.name == "SECTION PRINT" && without_name(card.options) == without_name(other.options);
  });
  if (same == cards.end())
    cards.push_back(card);
  else  // one table has all quantities of a surface
    same->data.insert(same->data.end(), card.data.begin(), card.data.end());
}

void Prints::end_step(Job &job, Step &step)
{
  for (const auto &[kind, cards] : own)
    in_force[kind] = cards;
  own.clear();
  for (const auto &entry : in_force)
    for (const Keyword &card : entry.second)
      any = (card.name == "CONTACT PRINT" ? write_contact_print(job, card, step) : write_print(job, card, step)) || any;
}

void Prints::write(Job &job)
{
  const auto at_modes = std::find_if(job.steps.begin(), job.steps.end(),
                                     [](const Step &step) { return has_forms(step) || step.procedure == "STEADY STATE DYNAMICS"; });
  if (at_modes != job.steps.end())
    job.out.add(at_modes->card.line, "Tables", "Modes", "yes");
  if (at_modes != job.steps.end() || any)
    job.out.add(job.steps.front().line, "Tables", "File", std::filesystem::path(job.model.mesh.name).stem().string() + ".dat");
}
}  // namespace
}  // namespace symdyn::abaqus
