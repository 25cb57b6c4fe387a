#include "solver/base/number_rows.h"

#include <fmt/format.h>

#include <sstream>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
std::vector<std::vector<double>> rows_of_numbers(const std::string &text, const std::size_t count, const std::string &row,
                                                 const std::string &numbers)
{
  std::vector<std::vector<double>> rows;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ';');)
  {
    std::vector<double> found;
    std::istringstream words(item);
    bool is_wrong = false;
    for (std::string word; words >> word;)
    {
      const auto number = number_from<double>(word);
      is_wrong = is_wrong || !number;
      found.push_back(number.value_or(0.));
    }
    if (is_wrong || found.size() != count)
      throw InputError(fmt::format("{} {} is '{}': it needs {} numbers, {}, with ; between two {}s", row, rows.size() + 1, trim(item),
                                   count, numbers, row));
    rows.push_back(std::move(found));
  }
  return rows;
}
}  // namespace symdyn
