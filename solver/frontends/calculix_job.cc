#include "solver/frontends/calculix_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solver/base/names.h"

namespace symdyn
{
namespace
{
/// A card of tables or files: its options and its lines.
struct Card
{
  std::string options;  ///< that go over to a table: ", FREQUENCY=10"
  std::vector<std::string> labels;
};

/// Goes through the lines of an input and adds tables.
class TableWriter
{
public:
  TableWriter(const CalculixMesh &input, CalculixJob &job) : input(input), job(job) {}
  void write()
  {
    for (at = 0; at < input.lines.size(); ++at)
    {
      const std::string &line = input.lines[at], keyword = keyword_of(line);
      if (keyword == "STEP" && ++step == 1)
        add_sets();
      if (keyword == "STEP")
        printed_nodes = printed_elements = false;
      if (keyword == "END STEP")
        add_tables();
      if (!keyword.empty())
        begin(keyword, line);
      else
        add_labels(line);
      put(line);
    }
  }

private:
  void put(const std::string &line)
  {
    job.lines.push_back(line);
    job.origin.push_back(at);
  }
  template <class Numbers>
  void put_set(const std::string &card, const Numbers &numbers)
  {
    constexpr std::size_t of_line = 16;
    put(card);
    std::string row;
    std::size_t count = 0;
    for (const long number : numbers)
    {
      row += fmt::format("{},", number);
      if (++count % of_line == 0)
      {
        put(row);
        row.clear();
      }
    }
    if (!row.empty())
      put(row);
  }
  void add_sets()
  {
    std::set<long> of_bodies, solids, others;
    for (const auto &[number, element] : input.elements)
      if (const CalculixShape *shape = CalculixMesh::shape_of(element.type))
      {
        of_bodies.insert(element.nodes.begin(), element.nodes.end());
        (shape->corners.empty() ? others : solids).insert(number);
      }
    thin = others.size();
    any_solid = !solids.empty();
    if (!of_bodies.empty())
      put_set(fmt::format("*NSET, NSET={}", CalculixJob::nodes), of_bodies);
    if (any_solid)
      put_set(fmt::format("*ELSET, ELSET={}", CalculixJob::elements), solids);
  }

  void begin(const std::string &keyword, const std::string &line)
  {
    open = nullptr;
    user = nullptr;
    known = nullptr;
    static const std::vector<std::string> of_nodes{"U", "V", "RF", "NT"}, of_elements{"S", "E", "ENER", "PEEQ"};
    const bool nodes = keyword == "NODE FILE" || keyword == "NODE OUTPUT", elements = keyword == "EL FILE" || keyword == "ELEMENT OUTPUT";
    if (nodes || elements)
    {
      open = nodes ? &node_file : &element_file;
      known = nodes ? &of_nodes : &of_elements;
      *open = {options_of(line), {}};
    }
    if (step > 0 && (keyword == "NODE PRINT" || keyword == "EL PRINT"))
    {
      bool &printed = keyword == "NODE PRINT" ? printed_nodes : printed_elements;
      user = keyword == "NODE PRINT" ? &node_prints : &element_prints;
      if (!printed)
        user->clear();
      printed = true;
      user->push_back(line);
    }
  }
  /// FREQUENCY and TIME POINTS.
  static std::string options_of(const std::string &line)
  {
    std::string options;
    for (const std::string &word : cut_at_commas(line))
      if (const std::string name = in_capitals(trim(word.substr(0, word.find('='))));
          name == "FREQUENCY" || name == "TIME POINTS" || name == "TIMEPOINTS")
        options += ", " + word;
    return options;
  }
  void add_labels(const std::string &line)
  {
    const std::string text = trim(line);
    if (text.empty() || text.rfind("**", 0) == 0)
      return;
    if (user)
      user->push_back(line);
    if (!open)
      return;
    for (const std::string &word : cut_at_commas(text))
      if (const std::string label = in_capitals(word); std::count(known->begin(), known->end(), label) > 0)
        open->labels.push_back(label);
      else if (!label.empty() && std::count(job.left_out.begin(), job.left_out.end(), label) == 0)
        job.left_out.push_back(label);
  }
  void add_tables()
  {
    const auto table = [&](const char *card, const char *option, const char *set, const Card &file) {
      put(fmt::format("*{0}, {0}={1}{2}", option, set, step));
      put(set);
      put(fmt::format("*{}, {}={}{}, GLOBAL=YES{}", card, option, set, step, file.options));
      put(join(file.labels));
    };
    if (!node_file.labels.empty())
    {
      if (!printed_nodes)
        for (const std::string &line : node_prints)
          put(line);
      table("NODE PRINT", "NSET", CalculixJob::nodes, node_file);
    }
    if (!element_file.labels.empty())
      job.without_points = thin;
    if (!element_file.labels.empty() && any_solid)
    {
      if (!printed_elements)
        for (const std::string &line : element_prints)
          put(line);
      table("EL PRINT", "ELSET", CalculixJob::elements, element_file);
    }
  }

  const CalculixMesh &input;
  CalculixJob &job;
  std::size_t at = 0;
  int step = 0;
  std::size_t thin = 0;  ///< elements without fields at points in the file
  bool any_solid = false, printed_nodes = false, printed_elements = false;
  Card node_file, element_file, *open = nullptr;
  const std::vector<std::string> *known = nullptr;
  std::vector<std::string> node_prints, element_prints, *user = nullptr;  ///< tables that the input asks for, which stay in force
};
}  // namespace

const char *const CalculixJob::nodes = "SYMDYNN";
const char *const CalculixJob::elements = "SYMDYNE";

CalculixJob CalculixJob::of(const CalculixMesh &input)
{
  CalculixJob job;
  TableWriter(input, job).write();
  return job;
}
}  // namespace symdyn
