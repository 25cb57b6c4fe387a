#include "solver/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace symdyn
{
namespace
{
constexpr double width = 860, left = 78, right = 210, top = 34, bottom = 46;
constexpr double smallest = 1e-17;  ///< of a logarithmic axis
/// Okabe and Ito (2008), which colour-blind readers tell apart; then dashed.
constexpr std::array<const char *, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
constexpr std::array<const char *, 4> dashes{"", "6 3", "2 2", "8 3 2 3"};
constexpr int most_points = 1200;

struct Axes
{
  double x0, x1, y0, y1, height;
  bool logarithmic;
  double x(const double value) const { return left + (value - x0) / (x1 - x0) * (width - left - right); }
  double raw(const double value) const { return logarithmic ? std::log10(std::max(value, smallest)) : value; }
  double y(const double value) const { return height - bottom - (raw(value) - y0) / (y1 - y0) * (height - top - bottom); }
};

Axes axes_of(const Plot &plot, const double height)
{
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Axes axes{infinite, -infinite, infinite, -infinite, height, plot.logarithmic};
  for (const Plot::Line &line : plot.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i)
      if (std::isfinite(line.y[i]))
      {
        axes.x0 = std::min(axes.x0, line.x[i]);
        axes.x1 = std::max(axes.x1, line.x[i]);
        axes.y0 = std::min(axes.y0, axes.raw(line.y[i]));
        axes.y1 = std::max(axes.y1, axes.raw(line.y[i]));
      }
  if (!(axes.x1 > axes.x0))
    axes.x0 = 0., axes.x1 = 1.;
  if (plot.logarithmic)
    axes.y0 = std::floor(axes.y0), axes.y1 = std::ceil(axes.y1);
  if (!(axes.y1 > axes.y0))
    axes.y0 -= 1., axes.y1 += 1.;
  if (!std::isfinite(axes.y0) || !std::isfinite(axes.y1))
    axes.y0 = 0., axes.y1 = 1.;
  return axes;
}

/// Of a line with more points than can be seen, the least and the largest of each stretch: what oscillates keeps its envelope.
std::string points_of(const Plot::Line &line, const Axes &axes)
{
  std::string points;
  const std::size_t stretch = std::max<std::size_t>(1, 2 * line.x.size() / most_points);
  for (std::size_t first = 0; first < line.x.size(); first += stretch)
  {
    const std::size_t end = std::min(first + stretch, line.x.size());
    std::size_t least = end, largest = end;
    for (std::size_t i = first; i < end; ++i)
      if (std::isfinite(line.y[i]))
      {
        least = least == end || line.y[i] < line.y[least] ? i : least;
        largest = largest == end || line.y[i] > line.y[largest] ? i : largest;
      }
    for (const std::size_t i : {std::min(least, largest), std::max(least, largest)})
      if (i < end && (i == std::min(least, largest) || least != largest))
        points += fmt::format("{:.1f},{:.1f} ", axes.x(line.x[i]), axes.y(line.y[i]));
  }
  return points;
}

std::string text(const double x, const double y, const std::string &anchor, const std::string &words, const std::string &more = "")
{
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, as_markup(words));
}

std::string grid(const Plot &plot, const Axes &axes)
{
  constexpr int count_x = 6, count_y = 6;
  const double x_end = width - right, y_end = axes.height - bottom;
  std::string svg;
  for (const double tick : round_ticks(axes.x0, axes.x1, count_x))
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" class=\"grid\"/>\n", axes.x(tick), top, y_end) +
           text(axes.x(tick), y_end + 16, "middle", fmt::format("{:g}", tick));
  for (const double tick : round_ticks(axes.y0, axes.y1, count_y))
  {
    if (plot.logarithmic && tick != std::round(tick))
      continue;
    const double y = axes.height - bottom - (tick - axes.y0) / (axes.y1 - axes.y0) * (axes.height - top - bottom);
    svg += fmt::format("<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" class=\"grid\"/>\n", y, left, x_end) +
           text(left - 6, y + 4, "end", plot.logarithmic ? fmt::format("1e{:g}", tick) : fmt::format("{:.3g}", tick));
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n", left, top, x_end - left, y_end - top);
  svg += text(0.5 * (left + x_end), top - 12, "middle", plot.title, " class=\"title\"");
  svg += text(0.5 * (left + x_end), axes.height - 10, "middle", plot.x_label);
  return plot.y_label.empty() ? svg : svg + text(16, 0.5 * (top + y_end), "middle", plot.y_label, fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", 0.5 * (top + y_end)));
}
}  // namespace

std::string as_markup(const std::string &plain)
{
  std::string text;
  for (const char c : plain)
    text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return text;
}

std::vector<double> round_ticks(const double low, const double high, const int count)
{
  const double rough = (high - low) / count, power = std::pow(10., std::floor(std::log10(rough)));
  double step = 10. * power;
  for (const double factor : {1., 2., 5.})
    if (factor * power >= rough)
    {
      step = factor * power;
      break;
    }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k == 0. ? 0. : k * step);
  return ticks;
}

std::string Plot::svg() const
{
  for (const Line &line : lines)
    if (line.x.size() != line.y.size())
      throw std::logic_error(fmt::format("plot '{}': {} has {} abscissas and {} ordinates", title, line.name, line.x.size(), line.y.size()));
  constexpr double row = 16, least = 340;
  const double height = std::max(least, top + bottom + row * lines.size());
  const Axes axes = axes_of(*this, height);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>.grid{{stroke:#ddd}}.frame{{fill:none;stroke:#444}}.title{{font-weight:bold;font-size:14px}}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
  svg += grid(*this, axes);
  for (std::size_t k = 0; k < lines.size(); ++k)
  {
    const Line &line = lines[k];
    const std::string style = fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"", colours[(line.colour < 0 ? k : line.colour) % colours.size()],
                                          dashes[(line.dashes < 0 ? k / colours.size() : line.dashes) % dashes.size()]);
    svg += fmt::format("<polyline points=\"{}\" {}/>\n", points_of(line, axes), style);
    const double y = top + row * (k + 0.5), x = width - right + 12;
    svg += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", x, y, x + 26, y, style) + text(x + 32, y + 4, "start", line.name);
  }
  return svg + "</svg>\n";
}
}  // namespace symdyn
