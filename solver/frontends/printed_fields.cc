#include "solver/frontends/printed_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "solver/base/number.h"
#include "solver/frontends/nodal_values.h"

// Tables of our own sets in a .dat file, by their titles.
namespace symdyn
{
namespace
{
const std::vector<std::pair<std::string, std::string>> titles{{"displacements", "U"},
                                                              {"velocities", "V"},
                                                              {"forces", "RF"},
                                                              {"temperatures", "NT"},
                                                              {"stresses", "S"},
                                                              {"strains", "E"},
                                                              {"internal energy", "ENER"},
                                                              {"equivalent plastic strain", "PEEQ"}};

double value_of(const std::string &word) { return number_from<double>(word).value_or(std::numeric_limits<double>::quiet_NaN()); }

/// Fields of elements as means over those that meet at a node.
class Means
{
public:
  void add(const CalculixMesh &mesh, const long element, const std::vector<std::vector<double>> &points)
  {
    const auto found = mesh.elements.find(element);
    const CalculixShape *shape = found == mesh.elements.end() ? nullptr : CalculixMesh::shape_of(found->second.type);
    if (!shape || shape->corners.empty() || points.empty())
      return;
    const std::vector<std::vector<double>> rows = at_nodes(*shape, points);
    for (std::size_t k = 0; k < rows.size(); ++k)
    {
      std::vector<double> &sum = sums[found->second.nodes[k]];
      sum.resize(rows[k].size() + 1, 0.);
      for (std::size_t c = 0; c < rows[k].size(); ++c)
        sum[c] += rows[k][c];
      sum.back() += 1.;
    }
  }
  std::map<long, std::vector<double>> values() const
  {
    std::map<long, std::vector<double>> all;
    for (const auto &[node, sum] : sums)
      for (std::size_t c = 0; c + 1 < sum.size(); ++c)
        all[node].push_back(sum[c] / sum.back());
    return all;
  }

private:
  std::map<long, std::vector<double>> sums;
};

class DatReader
{
public:
  DatReader(const CalculixMesh &mesh, const std::string &nodes, const std::string &elements)
      : mesh(mesh), of_nodes(" for set " + nodes), of_elements(" for set " + elements)
  {
  }
  void add(const std::string &line)
  {
    const std::size_t time = line.find(" and time ");
    const bool mine =
        time != std::string::npos && (line.find(of_nodes) != std::string::npos || line.find(of_elements) != std::string::npos);
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
      words.push_back(word);
    if (words.empty())
      return add_blank(line);
    if (mine)
    {
      if (!blanks.empty())
        blanks.pop_back();  // each table has one before its title, and one behind it
      put_blanks();
      begin(line, value_of(words.back()));
    }
    else if (reading && number_from<long>(words[0]).has_value())
      add_row(words);
    else
    {
      close();
      put_blanks();
      look_at(line, words);
      result.rest += line + "\n";
    }
  }
  PrintedFile finished()
  {
    close();
    put_blanks();
    return std::move(result);
  }

private:
  void add_blank(const std::string &line)
  {
    const bool behind_title = reading && !has_rows && !title_closed;
    if (behind_title)
    {
      title_closed = true;
      return;
    }
    close();
    blanks.push_back(line);
  }
  void put_blanks()
  {
    for (const std::string &line : blanks)
      result.rest += line + "\n";
    blanks.clear();
  }
  /// Frequencies and factors of modes, and which of them follows.
  void look_at(const std::string &line, const std::vector<std::string> &words)
  {
    if (line.find("E I G E N V A L U E   O U T P U T") != std::string::npos)
      table = 4, values.clear(), mode = 0;
    else if (line.find("B U C K L I N G   F A C T O R") != std::string::npos)
      table = 2, values.clear(), mode = 0;
    else if (line.find("P A R T I C I P A T I O N") != std::string::npos ||
             line.find("E I G E N V A L U E    N U M B E R") != std::string::npos)
      table = 0;
    if (line.find("E I G E N V A L U E    N U M B E R") != std::string::npos && !words.empty())
      mode = number_from<int>(words.back()).value_or(mode + 1), mode_is_new = true;
    else if (table > 0 && words.size() >= table && number_from<int>(words[0]))
      values.push_back(value_of(words[table - 1]));
  }
  void begin(const std::string &line, const double time)
  {
    close();
    for (const auto &[title, name] : titles)
      if (line.find(" " + title) != std::string::npos)
        quantity = name;
    const std::string &set = line.find(of_nodes) != std::string::npos ? of_nodes : of_elements;
    const int of_step = std::atoi(line.c_str() + line.find(set) + set.size());
    if (of_step != step && !mode_is_new)
      mode = 0;
    mode_is_new = false;
    const bool of_mode = mode > 0 && std::size_t(mode) <= values.size();
    const double at = of_mode ? values[mode - 1] : time;
    auto &moments = result.moments;
    if (moments.empty() || moments.back().mode != (of_mode ? mode : 0) || moments.back().time != at || of_step != step)
    {
      const int increment = moments.empty() || of_step != step ? 1 : moments.back().increment + 1;
      moments.push_back({at, of_mode ? mode : 0, of_step, increment, {}});
    }
    else if (moments.back().fields.count(quantity) > 0)
      quantity += "I";  // the imaginary part of a vibration
    step = of_step;
    reading = true;
    has_rows = title_closed = false;
  }
  void add_row(const std::vector<std::string> &words)
  {
    const bool of_element = quantity[0] == 'S' || quantity[0] == 'E' || quantity[0] == 'P';
    std::vector<double> row;
    for (std::size_t i = of_element ? 2 : 1; i < words.size(); ++i)
      row.push_back(value_of(words[i]));
    const long number = *number_from<long>(words[0]);
    has_rows = true;
    if (!of_element)
    {
      nodal[number] = row;
      return;
    }
    if (number != element)
      means.add(mesh, element, points), points.clear();
    element = number;
    points.push_back(row);
  }
  void close()
  {
    if (!reading)
      return;
    means.add(mesh, element, points);
    const auto of_means = means.values();
    auto &field = result.moments.back().fields[quantity];
    field = nodal.empty() ? of_means : nodal;
    nodal.clear();
    points.clear();
    means = Means();
    element = -1;
    reading = false;
  }

  const CalculixMesh &mesh;
  std::string of_nodes, of_elements, quantity;
  PrintedFile result;
  bool reading = false, has_rows = false, title_closed = false, mode_is_new = false;
  std::vector<std::string> blanks;  ///< that may belong to the next table
  int mode = 0, step = 0;
  std::size_t table = 0;       ///< the column of the value of a mode; 0: no such table
  std::vector<double> values;  ///< of modes
  std::map<long, std::vector<double>> nodal;
  Means means;
  long element = -1;
  std::vector<std::vector<double>> points;
};

/// A quantity as files of results have it.
struct FrdField
{
  std::string quantity, name;
  std::vector<std::string> components;
  std::vector<std::size_t> order;  ///< of the table's columns
  bool vector;
};
const std::vector<FrdField> frd_fields{{"U", "DISP", {"D1", "D2", "D3"}, {0, 1, 2}, true},
                                       {"UI", "DISPI", {"D1", "D2", "D3"}, {0, 1, 2}, true},
                                       {"V", "VELO", {"V1", "V2", "V3"}, {0, 1, 2}, true},
                                       {"NT", "NDTEMP", {"T"}, {0}, false},
                                       {"S", "STRESS", {"SXX", "SYY", "SZZ", "SXY", "SYZ", "SZX"}, {0, 1, 2, 3, 5, 4}, false},
                                       {"SI", "STRESSI", {"SXX", "SYY", "SZZ", "SXY", "SYZ", "SZX"}, {0, 1, 2, 3, 5, 4}, false},
                                       {"E", "TOSTRAIN", {"EXX", "EYY", "EZZ", "EXY", "EYZ", "EZX"}, {0, 1, 2, 3, 5, 4}, false},
                                       {"RF", "FORC", {"F1", "F2", "F3"}, {0, 1, 2}, true},
                                       {"PEEQ", "PE", {"PE"}, {0}, false},
                                       {"ENER", "ENER", {"ENER"}, {0}, false}};

std::string number_12(const double value) { return fmt::format("{:12.5E}", value); }

std::string of_time(const double value)
{
  const double size = std::abs(value);
  return size == 0.                  ? "0.000000000"
         : size < 1. || size >= 1e10 ? fmt::format("{:.5E}", value).substr(0, 11)
                                     : fmt::format("{:.9f}", value).substr(0, 11);
}

std::string mesh_text(const CalculixMesh &mesh, const std::set<long> &used)
{
  std::string text = fmt::format("    2C{:>30}{:>38}\n", used.size(), 1);
  for (const long number : used)
  {
    const auto &X = mesh.nodes.at(number);
    text += fmt::format(" -1{:10d}{}{}{}\n", number, number_12(X[0]), number_12(X[1]), number_12(X[2]));
  }
  std::string elements;
  std::size_t count = 0;
  for (const auto &[number, element] : mesh.elements)
    if (const CalculixShape *shape = CalculixMesh::shape_of(element.type); shape && element.nodes.size() >= shape->order.size())
    {
      ++count;
      elements += fmt::format(" -1{:10d}{:5d}{:5d}{:5d}\n", number, shape->number, 0, 1);
      for (std::size_t k = 0; k < shape->order.size(); ++k)
        elements += fmt::format("{}{:10d}{}", k % 10 == 0 ? " -2" : "", element.nodes[shape->order[k]],
                                k % 10 == 9 || k + 1 == shape->order.size() ? "\n" : "");
    }
  return text + " -3\n" + fmt::format("    3C{:>30}{:>38}\n", count, 1) + elements + " -3\n";
}

std::string field_text(const FrdField &field, const std::map<long, std::vector<double>> &values, const std::set<long> &used)
{
  const std::size_t n = field.components.size();
  std::string text = fmt::format(" -4  {:<8}{:5d}{:5d}\n", field.name, n + (field.vector ? 1 : 0), 1);
  for (std::size_t c = 0; c < n; ++c)
  {
    const int kind = field.vector ? 2
                     : n == 6     ? 4
                                  : 1,
              row = n == 1 ? 0 : int(c < 3 ? c + 1 : c - 2),
              column = n < 6 ? 0
                             : int(c < 3        ? c + 1
                                   : c % 3 == 2 ? 1
                                                : c - 1);
    text += fmt::format(" -5  {:<8}{:5d}{:5d}{:5d}{:5d}\n", field.components[c], 1, kind, row, column);
  }
  if (field.vector)
    text += fmt::format(" -5  {:<8}{:5d}{:5d}{:5d}{:5d}{:5d}ALL\n", "ALL", 1, 2, 0, 0, 1);
  for (const auto &[node, row] : values)
    if (used.count(node) > 0)
    {
      text += fmt::format(" -1{:10d}", node);
      for (const std::size_t c : field.order)
        text += number_12(c < row.size() ? row[c] : 0.);
      text += "\n";
    }
  return text + " -3\n";
}
}  // namespace

PrintedFile PrintedFile::read(const std::string &file, const CalculixMesh &mesh, const std::string &nodes, const std::string &elements)
{
  DatReader reader(mesh, nodes, elements);
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    reader.add(line);
  return reader.finished();
}

std::string frd_text(const CalculixMesh &mesh, const std::vector<PrintedFields> &moments)
{
  std::set<long> used;
  for (const auto &[number, element] : mesh.elements)
    if (CalculixMesh::shape_of(element.type))
      for (const long node : element.nodes)
        if (mesh.nodes.count(node) > 0)
          used.insert(node);
  std::string text = "    1C\n    1UUSER\n    1UPGM               symdyn\n" + mesh_text(mesh, used);
  int dataset = 0, moment = 0;
  for (const PrintedFields &at : moments)
  {
    ++moment;
    for (const FrdField &field : frd_fields)
      if (const auto values = at.fields.find(field.quantity); values != at.fields.end() && !values->second.empty())
      {
        text += fmt::format("    1PSTEP{:>26}{:>12}{:>12}\n", ++dataset, at.increment, at.step);
        if (at.mode > 0)
          text += fmt::format("    1PMODE{:>26}\n", at.mode);
        const auto count =
            std::count_if(values->second.begin(), values->second.end(), [&](const auto &row) { return used.count(row.first) > 0; });
        text += fmt::format("  100CL{:5d} {:>11}{:12d}{:20}{:2d}{:5d}{:<10}{:2d}\n", 100 + moment, of_time(at.time), count, "",
                            at.mode > 0 ? 2 : 0, moment, at.mode > 0 ? "MODAL" : "", 1);
        text += field_text(field, values->second, used);
      }
  }
  return text + " 9999\n";
}
}  // namespace symdyn
