#include "solver/base/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
/// The first steps take longer than the others (matrices, preconditioners), and short times are noise.
constexpr long fewest_samples = 5;
constexpr double shortest_time = 1.;  ///< [s]

std::string joined(const std::vector<ProgressLine::Field> &fields)
{
  std::string text;
  for (const ProgressLine::Field &field : fields)
    text += (text.empty() ? "" : "  ") + field.text;
  return text;
}
}  // namespace

void ProgressLine::sample(const std::size_t number, const double part, const double now)
{
  if (samples == 0 || number != stage || part < done)
  {
    stage = number;
    samples = 0;
    first_done = part;
    first_time = now;
  }
  ++samples;
  done = part;
  time = now;
}

double ProgressLine::left() const
{
  const bool known = samples > fewest_samples && time - first_time >= shortest_time && done > first_done;
  return known ? (time - first_time) * (1. - done) / (done - first_done) : -1.;
}

std::string ProgressLine::line(std::vector<Field> fields, const std::size_t columns)
{
  std::string text = joined(fields);
  while (text.size() > columns)
  {
    const auto last = std::max_element(fields.begin(), fields.end(), [](const Field &a, const Field &b) { return a.rank < b.rank; });
    if (last == fields.end() || last->rank == 0)
      break;
    fields.erase(last);
    text = joined(fields);
  }
  return text.substr(0, columns);
}

std::string duration_text(const double seconds)
{
  if (seconds < 60.)
    return fmt::format("{:.0f} s", seconds);
  return seconds < 3600. ? fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60.), std::floor(std::fmod(seconds, 60.)))
                         : fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / 3600.), std::floor(std::fmod(seconds, 3600.) / 60.));
}
}  // namespace symdyn
