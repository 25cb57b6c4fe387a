#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *NODE PRINT and *EL PRINT.
namespace symdyn::abaqus
{
void DeckWriter::write_prints()
{
  // Those of nodes, and those of elements, stay in force until a later step has some of their kind.
  std::map<std::string, std::vector<Keyword>> in_force;
  for (std::size_t s = 0; s < steps.size(); ++s)
  {
    std::map<std::string, std::vector<Keyword>> own;
    for (const Keyword &card : steps[s].inside)
      if (card.name == "SECTION PRINT")
        warn(
            card.line, "*SECTION PRINT",
            "is not written. The reactions of supports stand in history.csv; a .prm deck (symdyn convert) may have Section forces of a plane");
    for (const Keyword &card : steps[s].inside)
      if (card.name == "NODE PRINT" || card.name == "EL PRINT")
        own[card.name].push_back(card);
    for (const auto &[kind, cards] : own)
      in_force[kind] = cards;
    for (const auto &entry : in_force)
      for (const Keyword &card : entry.second)
        write_print(card, steps[s], s);
  }
  const auto at_modes = std::find_if(steps.begin(), steps.end(), [](const Step &step) {
    return step.procedure == "FREQUENCY" || step.procedure == "STEADY STATE DYNAMICS";
  });
  if (at_modes != steps.end())
    add(at_modes->card.line, "Prints", "Modes", "yes");
  if (at_modes != steps.end() || names.count("Prints/any"))
    add(steps.front().line, "Prints", "File", std::filesystem::path(model.mesh.name).stem().string() + ".dat");
}

/// Those that can be written in the step: the rest with a warning.
std::vector<std::string> DeckWriter::quantities_of(const Keyword &card, const Step &step)
{
  static const std::vector<std::string> of_nodes = {"U", "V", "RF"}, of_elements = {"S", "E", "ENER", "ELSE", "ELKE", "EVOL"};
  const std::vector<std::string> &known = card.name == "NODE PRINT" ? of_nodes : of_elements;
  const bool of_modes = step.procedure == "FREQUENCY" || step.procedure == "STEADY STATE DYNAMICS";
  std::vector<std::string> quantities;
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (const std::string quantity = upper(w); !std::count(known.begin(), known.end(), quantity))
        w.empty() ? void() : warn(line.number, "*" + card.name + " " + w, "this quantity is not written; there are " + join(known));
      else if (of_modes && (quantity == "V" || quantity == "ELSE" || quantity == "ELKE"))
        warn(line.number, "*" + card.name + " " + quantity,
             fmt::format("is left out of {}: *{} has no {}", step.name, step.procedure, quantity == "V" ? "velocities" : "energies"));
      else if (bodiless && known == of_elements && quantity != "S")
        warn(line.number, "*EL PRINT " + quantity, "is not written of bars; there is S");
      else if (step.procedure == "STATIC" && quantity == "ELKE")
        warn(line.number, "*EL PRINT ELKE", fmt::format("is left out of {}: *STATIC has no kinetic energy", step.name));
      else if (of_modes && known == of_elements && nonlinear && quantity != "EVOL")
        warn(line.number, "*" + card.name + " " + quantity,
             fmt::format("is left out of {}: *{} has it with materials of small displacements only", step.name, step.procedure));
      else
        quantities.push_back(quantity);
  return quantities;
}

void DeckWriter::write_print(const Keyword &card, const Step &step, const std::size_t stage)
{
  const bool nodes = card.name == "NODE PRINT";
  require_options(model.scanner, card, {nodes ? "NSET" : "ELSET", "FREQUENCY", "FREQUENCYF", "TOTALS", "GLOBAL", "TIME POINTS", "OUTPUT"});
  if (card.has("FREQUENCYF"))
    warn(card.line, "*" + card.name + ", FREQUENCYF", "is not known; tables are written each FREQUENCY increments");
  if (card.has("FREQUENCY") &&
      model.number({card.line, {}}, card.option("FREQUENCY"), "FREQUENCY, how many increments from table to table,") == 0)
    return;  // none
  const std::vector<std::string> quantities = quantities_of(card, step);
  if (quantities.empty())
    return;
  const std::string set_name = model.required(card, nodes ? "NSET" : "ELSET");
  const Set *set = Model::find_set(nodes ? model.node_sets : model.element_sets, set_name);
  if (!set)
    fail(card.line, "*" + card.name,
         "there is no set " + set_name + Model::known(nodes ? model.node_sets : model.element_sets, set_name) + ".");
  const std::string path = "Prints/" + fresh("Prints", fmt::format("{} {}", step.name, set->name));
  ++names["Prints/any"];
  add(card.line, path, "Stage", steps[stage].name);
  add(card.line, path, nodes ? "Nodes" : "Elements", set->name);
  add(card.line, path, "Quantities", join(quantities));
  write_print_places(card, *set, path);
  if (card.has("TOTALS"))
    add(card.line, path, "Totals", upper(card.option("TOTALS")) == "ONLY" ? "only" : upper(card.option("TOTALS")) == "YES" ? "yes" : "no");
  if (card.has("TIME POINTS"))
    write_time_points(card, step, path);
  else if (card.has("FREQUENCY"))
    add(card.line, path, "Every", card.option("FREQUENCY"));
  if (step.procedure == "STATIC" || step.procedure == "FREQUENCY" || (step.takes_time() && step.start != step.total_start))
    add(card.line, path, "Start", written(step.total_start));
  if (step.procedure == "STATIC" || step.procedure == "FREQUENCY")
    add(card.line, path, "Period", written(step.procedure == "STATIC" ? step.period : 1.));
}

void DeckWriter::write_time_points(const Keyword &card, const Step &step, const std::string &path)
{
  const std::string name = upper(card.option("TIME POINTS"));
  const auto found = std::find_if(model.all.begin(), model.all.end(),
                                  [&](const Keyword &k) { return k.name == "TIME POINTS" && upper(k.option("NAME")) == name; });
  if (found == model.all.end())
    fail(card.line, "TIME POINTS=" + name, "there is no *TIME POINTS of this name.");
  require_options(model.scanner, *found, {"NAME", "TIME", "GENERATE"});
  const double since =
      compact(found->option("TIME")) == "TOTALTIME" || compact(upper(found->option("TIME"))) == "TOTALTIME" ? step.total_start : 0.;
  std::vector<double> times;
  const auto take = [&](const double time) {
    if (time - since > 0. && time - since <= step.period * (1. + 1e-9))
      times.push_back(time - since);
  };
  for (const Line &line : found->data)
    if (!found->has("GENERATE"))
      for (const std::string &w : line.words)
        w.empty() ? void() : take(model.real(line, w, "a time"));
    else
    {
      const double first = real(line, 0, "the first time"), last = real(line, 1, "the last time"), by = real(line, 2, "the interval");
      constexpr double most = 100000;
      if (last < first || by <= 0. || (last - first) / by > most)
        fail(line.number, join(line.words), "times go from the first to the last by an interval > 0.");
      for (long k = 0; first + k * by <= last * (1. + 1e-9); ++k)
        take(first + k * by);
    }
  if (times.empty())
    return warn(card.line, "TIME POINTS=" + name, "none of its times is in this step: the table is written at the end of the step");
  add(found->line, path, "Times", written(times));
}
}  // namespace symdyn::abaqus
