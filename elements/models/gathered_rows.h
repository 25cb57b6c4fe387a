#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "elements/element_rows.h"

namespace symdyn
{
/// The rows of all ranks, the same on every rank, by the numbers of elements and points. Collective.
inline ElementTables gathered(const ElementTables &own, const MPI_Comm communicator)
{
  std::vector<std::string> titles;
  std::vector<double> numbers;  // of each row: title, element, point, count of values, values
  for (const auto &[title, rows] : own)
  {
    for (const ElementRow &row : rows)
    {
      numbers.insert(numbers.end(), {double(titles.size()), double(row.element), double(row.point), double(row.values.size())});
      numbers.insert(numbers.end(), row.values.begin(), row.values.end());
    }
    titles.push_back(title);
  }
  const auto all_titles = dealii::Utilities::MPI::all_gather(communicator, titles);
  const auto all_numbers = dealii::Utilities::MPI::all_gather(communicator, numbers);
  ElementTables tables;
  for (std::size_t rank = 0; rank < all_numbers.size(); ++rank)
    for (auto next = all_numbers[rank].begin(); next != all_numbers[rank].end();)
    {
      const auto values = next + 4, end = values + long(next[3]);
      tables[all_titles[rank].at(std::size_t(next[0]))].push_back({long(next[1]), int(next[2]), {values, end}});
      next = end;
    }
  for (auto &[title, rows] : tables)
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ElementRow &a, const ElementRow &b) { return std::tie(a.element, a.point) < std::tie(b.element, b.point); });
  return tables;
}
}  // namespace symdyn
