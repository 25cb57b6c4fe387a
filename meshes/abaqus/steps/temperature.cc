#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *TEMPERATURE, and *INITIAL CONDITIONS, TYPE=TEMPERATURE.
namespace symdyn::abaqus
{
namespace
{
bool is_of_temperatures(const Keyword &card) { return upper(card.option("TYPE")) == "TEMPERATURE"; }

class Temperatures : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"INITIAL CONDITIONS"}, {"TEMPERATURE", Where::step, Options{"AMPLITUDE", "TIME DELAY", "OP"}}};
  }
  Turn turn() const override { return Turn::start; }
  void read(Job &job, const Keyword &card, Step *step) override;
  void write(Job &job) override;

private:
  void read_initial(Job &job, const Keyword &card);
  void read_step(Job &job, const Keyword &card, Step &step);
  /// Nodes with numbers of their own, line by line: one section of them all.
  struct Single
  {
    std::size_t line = 0;
    std::vector<std::string> nodes, values;
  };
  void write_singles(Job &job, const Keyword &card, const Step *step, const char *entry, Single &singles);

  const Step *heated = nullptr;  ///< the step that changes temperatures
};
SYMDYN_REGISTER(Translator, Temperatures, "temperatures");

/// What follows a node or set is one temperature; more are of the layers of shells and beams.
double temperature_of(const Job &job, const Line &line)
{
  if (line.words.size() > 2 && !job.word(line, 2).empty())
    job.fail(line.number, job.word(line, 2),
             "a gradient through beams and shells is not read. Give one temperature, and Gradient in the section Temperature of a deck.");
  return job.real(line, 1, "the temperature");
}

bool is_of_all(const Job &job, const Line &line)
{
  std::set<std::size_t> nodes;
  for (const std::size_t node : job.model.nodes_of(line, job.word(line, 0)))
    nodes.insert(node);
  for (const FileElement &element : job.model.mesh.elements)
    for (unsigned int a = 0; a < node_count(element.shape); ++a)
      if (nodes.count(element.nodes[a]) == 0)
        return false;
  return true;
}

bool has_bars(const Job &job)
{
  return std::any_of(job.model.types.begin(), job.model.types.end(),
                     [](const std::string &type) { return type == "T3D2" || type == "T2D2"; });
}

void heat_bars(Job &job, const Keyword &card, const Line &line, const std::string &value)
{
  if (!is_of_all(job, line) || card.has("AMPLITUDE"))
    job.fail(line.number, job.word(line, 0),
             "bars have one temperature, without an AMPLITUDE. Give that of a set of all nodes, or take a .prm deck, where Field is a "
             "formula of x, y, z, t.");
  job.out.add(line.number, "Temperature", "Field", value);
}

void Temperatures::read(Job &job, const Keyword &card, Step *step)
{
  if (step)
    read_step(job, card, *step);
  else if (is_of_temperatures(card))
    read_initial(job, card);
}

void Temperatures::read_initial(Job &job, const Keyword &card)
{
  require_options(job.model.scanner, card, {"TYPE"});
  if (!job.heats())
  {
    job.out.warn(card.line, "*INITIAL CONDITIONS, TYPE=TEMPERATURE", "has no effect: no step of this file changes temperatures");
    return;
  }
  Single singles;
  for (const Line &line : card.data)
  {
    const std::string value = written(temperature_of(job, line));
    if (is_of_all(job, line))
      job.out.add(line.number, "Temperature", "Initial", value);
    else if (job.model.set_of_nodes(job.word(line, 0)))
    {
      write_singles(job, card, nullptr, "Initial", singles);
      const std::string path = "Temperature/" + job.out.fresh("Temperature", "start of " + job.word(line, 0));
      job.out.add(line.number, path, "Nodes", job.word(line, 0));
      job.out.add(line.number, path, "Initial", value);
    }
    else
    {
      job.model.nodes_of(line, job.word(line, 0));
      singles.line = line.number;
      singles.nodes.push_back(job.word(line, 0));
      singles.values.push_back(value);
    }
  }
  write_singles(job, card, nullptr, "Initial", singles);
}

void Temperatures::write_singles(Job &job, const Keyword &card, const Step *step, const char *entry, Single &singles)
{
  if (!singles.nodes.empty())
  {
    const std::string path = "Temperature/" + job.out.fresh("Temperature", "nodes");
    job.out.add(singles.line, path, "Nodes", join(singles.nodes));
    job.out.add(singles.line, path, entry, join(singles.values));
    if (step)
      write_amplitude(job, card, *step, path);
  }
  singles = {};
}

void Temperatures::read_step(Job &job, const Keyword &card, Step &step)
{
  if (step.procedure != "STATIC" && step.procedure != "VISCO" && step.procedure != "DYNAMIC")
    job.fail(card.line, "*TEMPERATURE", "bodies are heated in steps *STATIC, *VISCO and *DYNAMIC. Heat it in one before.");
  if (heated && heated != &step)
    job.fail(card.line, "*TEMPERATURE",
             fmt::format("a second step with temperatures, after that of {}, cannot be computed yet. Give them in one step.",
                         job.model.scanner.place(heated->line)));
  for (const Step *before = job.steps.data(); before != &step; ++before)
    if (step.procedure == "DYNAMIC" || before->procedure == "DYNAMIC")
      job.fail(
          card.line, "*TEMPERATURE",
          "a *DYNAMIC step behind another one cannot be heated yet, nor a step behind a *DYNAMIC one. Heat the body in the first step.");
  heated = &step;
  const double factor = static_factor(job, card, step);
  Single singles;
  for (const Line &line : card.data)
  {
    const std::string value = written(factor * temperature_of(job, line));
    if (has_bars(job))
    {
      heat_bars(job, card, line, value);
      continue;
    }
    if (!job.model.set_of_nodes(job.word(line, 0)))
    {
      job.model.nodes_of(line, job.word(line, 0));
      singles.line = line.number;
      singles.nodes.push_back(job.word(line, 0));
      singles.values.push_back(value);
      continue;
    }
    write_singles(job, card, &step, "Value", singles);
    const std::string path = "Temperature/" + job.out.fresh("Temperature", job.word(line, 0));
    job.out.add(line.number, path, "Nodes", job.word(line, 0));
    job.out.add(line.number, path, "Value", value);
    write_amplitude(job, card, step, path);
  }
  write_singles(job, card, &step, "Value", singles);
}

/// Steps before and behind the one that heats leave the temperatures as they are.
void Temperatures::write(Job &job)
{
  if (!heated)
    return;
  for (const Step &step : job.steps)
    if (&step != heated && (step.procedure == "STATIC" || step.procedure == "VISCO"))
      job.out.add(step.line, "Stages/" + step.name, "Heating", "no");
}
}  // namespace

std::size_t temperature_column(const Keyword &card)
{
  if (card.name == "PLASTIC" && card.has("DATA TYPE"))  // sigma_y, then two numbers of each backstress
    return 1 + 2 * std::max<std::size_t>(1, std::strtoul(card.option("NUMBER BACKSTRESSES").c_str(), nullptr, 10));
  return card.name == "CREEP" || card.has("PARAMETERS") ? 3 : 2;
}

bool is_over_temperature(const Keyword &card)
{
  if (card.name == "PLASTIC" || card.name == "CYCLIC HARDENING" || card.name == "CREEP")  // lines of curves are points
    return std::any_of(card.data.begin(), card.data.end(), [&card](const Line &line) {
      const std::size_t column = temperature_column(card);
      const auto temperature = [column](const Line &row) { return row.words.size() > column ? row.words[column] : std::string(); };
      return temperature(line) != temperature(card.data.front());
    });
  return (card.name == "EXPANSION" || (card.name == "ELASTIC" && is_isotropic(card))) && card.data.size() > 1;
}

bool Job::heats() const
{
  const auto rows = [](const Keyword &card) { return card.name != "EXPANSION" && is_over_temperature(card); };
  const auto changes = [](const Step &step) {
    return std::any_of(step.inside.begin(), step.inside.end(), [](const Keyword &card) { return card.name == "TEMPERATURE"; });
  };
  return std::any_of(steps.begin(), steps.end(), changes) || std::any_of(before.begin(), before.end(), rows);
}
}  // namespace symdyn::abaqus
