#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *AMPLITUDE and *INITIAL CONDITIONS.
namespace symdyn::abaqus
{
namespace
{
/// time, value, time, value, ... in the time of the deck, where the table begins at `start`.
std::string as_list(const AmplitudeTable &table, const double start)
{
  std::vector<double> list;
  for (std::size_t i = 0; i < table.t.size(); ++i)
    list.insert(list.end(), {start + table.t[i], table.a[i]});
  return written(list);
}
}  // namespace

double AmplitudeTable::at(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin())
    return a.front();
  if (after == t.end())
    return a.back();
  const std::size_t i = after - t.begin();
  return a[i - 1] + (a[i] - a[i - 1]) * (time - t[i - 1]) / (t[i] - t[i - 1]);
}

std::string AmplitudeTable::formula(const double start) const
{
  const auto piece = [&](const std::size_t i) {  // before the i-th point
    if (i == 0 || i == t.size() || a[i] == a[i - 1])
      return written(a[i == 0 ? 0 : i - 1]);
    return fmt::format("{} + ({})*(t - ({}))", a[i - 1], (a[i] - a[i - 1]) / (t[i] - t[i - 1]), start + t[i - 1]);
  };
  const std::function<std::string(std::size_t, std::size_t)> choice = [&](const std::size_t first, const std::size_t last) {
    const std::size_t middle = (first + last) / 2;
    return first == last ? piece(first)
                         : fmt::format("(t < ({}) ? {} : {})", start + t[middle], choice(first, middle), choice(middle + 1, last));
  };
  return choice(0, t.size());
}

void DeckWriter::read_amplitude(const Keyword &card)
{
  if (card.has("USER"))
    fail(card.line, "*AMPLITUDE, USER", "subroutines of a user cannot be called. Write the amplitude as a table of time and value.");
  require_options(model.scanner, card, {"NAME", "TIME", "DEFINITION", "VALUE"});
  const std::string name = model.required(card, "NAME"), time = upper(card.option("TIME"));
  if (!time.empty() && compact(time) != "TOTALTIME" && compact(time) != "STEPTIME")
    fail(card.line, "TIME=" + time, "is TOTAL TIME, or left out.");
  for (const char *option : {"DEFINITION", "VALUE"})
    if (card.has(option) && upper(card.option(option)) != "TABULAR" && upper(card.option(option)) != "RELATIVE")
      fail(card.line, std::string(option) + "=" + card.option(option),
           "only tables (DEFINITION=TABULAR, VALUE=RELATIVE) can be computed. Write the amplitude as a table of time and value.");
  AmplitudeTable table;
  table.total_time = compact(time) == "TOTALTIME";
  for (const Line &line : card.data)
  {
    std::vector<std::string> words = line.words;
    while (!words.empty() && words.back().empty())
      words.pop_back();
    if (words.size() % 2 != 0)
      fail(line.number, join(words), "an amplitude is made of pairs: time, value, time, value, ...; a comma or a number is missing.");
    for (std::size_t i = 0; i < words.size(); i += 2)
    {
      const double t = model.real(line, words[i], "a time"), a = model.real(line, words[i + 1], "a value");
      if (!table.t.empty() && t <= table.t.back())
        fail(line.number, words[i],
             fmt::format("times of an amplitude go forward; the one before is {}. For a jump write two close times.", table.t.back()));
      if (!table.t.empty() && !std::isfinite((a - table.a.back()) / (t - table.t.back())))
        fail(line.number, words[i + 1], fmt::format("the slope from {}, {} to here is no finite number.", table.t.back(), table.a.back()));
      table.t.push_back(t);
      table.a.push_back(a);
    }
  }
  if (table.t.empty())
    fail(card.line, "*AMPLITUDE, NAME=" + name, "has no points. Give lines of time, value.");
  if (!amplitudes.emplace(upper(name), table).second)
    fail(card.line, "*AMPLITUDE, NAME=" + name, "there is another one of this name. Rename one.");
}

const AmplitudeTable *DeckWriter::amplitude(const Keyword &card) const
{
  if (!card.has("AMPLITUDE"))
    return nullptr;
  const auto found = amplitudes.find(upper(card.option("AMPLITUDE")));
  if (found == amplitudes.end())
    fail(card.line, "AMPLITUDE=" + card.option("AMPLITUDE"), "there is no *AMPLITUDE of this name.");
  return &found->second;
}

double DeckWriter::static_factor(const Keyword &card, const Step &step) const
{
  const AmplitudeTable *table = amplitude(card);
  return table && step.procedure == "STATIC" ? table->at(step.period - delay(card) + (table->total_time ? step.total_start : 0.)) : 1.;
}

double DeckWriter::delay(const Keyword &card) const
{
  if (!card.has("TIME DELAY"))
    return 0.;
  if (!card.has("AMPLITUDE"))
    fail(card.line, "TIME DELAY", "is of an AMPLITUDE, and there is none. Remove it.");
  return model.real({card.line, {}}, card.option("TIME DELAY"), "TIME DELAY");
}

void DeckWriter::write_amplitude(const Keyword &card, const Step &step, const std::string &path)
{
  if (const AmplitudeTable *table = amplitude(card); table && step.follows_amplitudes())
    add(card.line, path, "Amplitude points", as_list(*table, step.start_of(*table) + delay(card)));
}

void DeckWriter::write_initial()
{
  std::map<std::string, std::array<double, 3>> fields;
  std::map<std::string, std::size_t> lines;
  std::set<std::size_t> of_cells;
  for (const FileElement &element : model.mesh.elements)
  {
    of_cells.insert(element.nodes.begin(), element.nodes.begin() + node_count(element.shape));
    of_cells.insert(element.middles.begin(), element.middles.end());
  }
  for (const Keyword &card : before)
    if (card.name == "INITIAL CONDITIONS")
    {
      const std::string type = upper(model.required(card, "TYPE"));
      if (type == "TEMPERATURE")  // nothing changes it: *TEMPERATURE is refused
      {
        warn(card.line, "*INITIAL CONDITIONS, TYPE=TEMPERATURE",
             "has no effect: temperatures cannot be computed, and no step of this file changes them");
        continue;
      }
      if (type != "VELOCITY" && type != "DISPLACEMENT")
        fail(card.line, "*INITIAL CONDITIONS, TYPE=" + type,
             "only displacements and velocities can be computed. Apply an initial stress as loads of a first static step.");
      require_options(model.scanner, card, {"TYPE"});
      const std::string name = type == "VELOCITY" ? "Velocity" : "Displacement";
      for (const Line &line : card.data)
      {
        std::set<std::size_t> nodes;
        for (const std::size_t node : model.nodes_of(line, word(line, 0)))
          nodes.insert(node);
        if (!bodiless && !std::includes(nodes.begin(), nodes.end(), of_cells.begin(), of_cells.end()))
          fail(line.number, word(line, 0),
               "an initial field is given for all nodes of the body, or in a .prm deck as an expression of x, y, z.");
        const long component = model.number(line, word(line, 1), "the component, 1 to 3,");
        if (component < 1 || component > dim)
          fail(line.number, word(line, 1), fmt::format("the component is 1 to {}.", dim));
        if (bodiless)
        {
          start_alone(line, name, nodes, component - 1);
          continue;
        }
        fields[name][component - 1] = real(line, 2, "the value");
        lines[name] = line.number;
      }
    }
  for (const auto &[name, value] : fields)
    add(lines[name], "Initial conditions", name, written(std::vector<double>(value.begin(), value.begin() + dim)));
}
}  // namespace symdyn::abaqus
