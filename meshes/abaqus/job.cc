#include "meshes/abaqus/job.h"

#include <fmt/format.h>

#include <algorithm>

namespace symdyn::abaqus
{
bool Job::rests() const
{
  return std::none_of(steps.begin(), steps.end(), [](const Step &step) { return step.traits.moves; });
}

double Job::real_or(const Line &line, const std::size_t i, const double otherwise, const char *what) const
{
  return word(line, i).empty() ? otherwise : real(line, i, what);
}

void Job::pass_temperature(const Line &line, const std::size_t i) const
{
  if (word(line, i - 1).find('.') != std::string::npos)
    real_or(line, i, 0., "the temperature");
}

const Line &Job::only_line(const Keyword &keyword, const char *what) const
{
  if (keyword.data.size() != 1)
    fail(keyword.line, "*" + keyword.name, fmt::format("needs one line of data: {}; it has {}.", what, keyword.data.size()));
  return keyword.data.front();
}
}  // namespace symdyn::abaqus
