#pragma once
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// Tables with a line for each quantity, or place, as stages of spectra write them.
namespace symdyn::tests
{
/// Numbers by the name of the line and the title of the column, without its unit; a column `unit` is left out.
inline std::map<std::string, std::map<std::string, double>> lines_of(const std::string &file)
{
  std::map<std::string, std::map<std::string, double>> lines;
  std::ifstream in(file);
  std::string line, cell;
  std::getline(in, line);
  std::vector<std::string> titles;
  for (std::istringstream head(line); std::getline(head, cell, ',');)
    titles.push_back(cell.substr(0, cell.find(" [")));
  while (std::getline(in, line))
  {
    std::istringstream row(line);
    std::string name;
    std::getline(row, name, ',');
    for (std::size_t i = 1; std::getline(row, cell, ','); ++i)
      if (titles[i] != "unit")
        lines[name][titles[i]] = std::stod(cell);
  }
  return lines;
}
}  // namespace symdyn::tests
