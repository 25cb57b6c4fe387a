#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

namespace symdyn
{
/// A line of a table of elements, at a point of integration.
struct ElementRow
{
  long element;  ///< its number in the mesh's file
  int point;     ///< from 1 on
  std::vector<double> values;
};
/// By the titles of their tables, "section forces (elem, integ.pnt.,sf1,...)".
using ElementTables = std::map<std::string, std::vector<ElementRow>>;
/// Numbers of elements in the mesh's file.
using ElementNumbers = std::set<long>;
}  // namespace symdyn
