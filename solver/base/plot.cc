#include "solver/base/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "solver/base/plot_canvas.h"

namespace symdyn
{
namespace
{
constexpr double left = 78, right = 210, top = 34, bottom = 46;
constexpr double smallest = 1e-17;  ///< of a logarithmic axis
/// Okabe and Ito (2008), which colour-blind readers tell apart; then dashed.
constexpr std::array<const char *, 8> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
constexpr int dashed = 4;  ///< ways
const Canvas::Pen grid_pen{"grid", "#dddddd"}, frame_pen{"frame", "#444444"};
constexpr int most_points = 1200;
constexpr double row = 16;  ///< of the legend

struct Axes
{
  double x0, x1, y0, y1, height;
  bool logarithmic;
  double x(const double value) const { return left + (value - x0) / (x1 - x0) * (Plot::width - left - right); }
  double raw(const double value) const { return logarithmic ? std::log10(std::max(value, smallest)) : value; }
  double y(const double value) const { return height - bottom - (raw(value) - y0) / (y1 - y0) * (height - top - bottom); }
};

/// A range of a few units in the last place has no numbers for ticks.
void widen(double &low, double &high)
{
  constexpr double least = 1e-12;
  const double missing = least * std::max(std::abs(low), std::abs(high)) - (high - low);
  if (missing > 0.)
    low -= 0.5 * missing, high += 0.5 * missing;
}

Axes axes_of(const Plot &plot, const double height)
{
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Axes axes{infinite, -infinite, infinite, -infinite, height, plot.logarithmic};
  for (const Plot::Line &line : plot.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i)
      if (std::isfinite(line.x[i]) && std::isfinite(line.y[i]))
      {
        axes.x0 = std::min(axes.x0, line.x[i]);
        axes.x1 = std::max(axes.x1, line.x[i]);
        axes.y0 = std::min(axes.y0, axes.raw(line.y[i]));
        axes.y1 = std::max(axes.y1, axes.raw(line.y[i]));
      }
  if (!(axes.x1 >= axes.x0))
    axes.x0 = 0., axes.x1 = 1.;
  if (plot.logarithmic)
    axes.y0 = std::floor(axes.y0), axes.y1 = std::ceil(axes.y1);
  if (!std::isfinite(axes.y0) || !std::isfinite(axes.y1))
    axes.y0 = 0., axes.y1 = 1.;
  if (axes.y1 == axes.y0)
    axes.y0 -= 1., axes.y1 += 1.;
  if (axes.x1 == axes.x0)
    axes.x1 += 1.;
  widen(axes.x0, axes.x1);
  widen(axes.y0, axes.y1);
  return axes;
}

/// The rows from `first` on that can be drawn, up to the next that cannot: nan is a gap, not a straight line.
std::pair<std::size_t, std::size_t> stretch_from(const Plot::Line &line, std::size_t first)
{
  const auto drawn = [&](const std::size_t i) { return std::isfinite(line.x[i]) && std::isfinite(line.y[i]); };
  while (first < line.x.size() && !drawn(first))
    ++first;
  std::size_t end = first;
  while (end < line.x.size() && drawn(end))
    ++end;
  return {first, end};
}

/// Of a line with more points than can be seen, the least and the largest of each part: what oscillates keeps its envelope.
std::vector<Canvas::Place> points_of(const Plot::Line &line, const std::size_t begin, const std::size_t end, const Axes &axes)
{
  std::vector<Canvas::Place> points;
  const std::size_t part = std::max<std::size_t>(1, 2 * line.x.size() / most_points);
  for (std::size_t first = begin; first < end; first += part)
  {
    const auto of_part = std::minmax_element(line.y.begin() + first, line.y.begin() + std::min(first + part, end));
    const auto least = std::size_t(of_part.first - line.y.begin()), largest = std::size_t(of_part.second - line.y.begin());
    points.emplace_back(axes.x(line.x[std::min(least, largest)]), axes.y(line.y[std::min(least, largest)]));
    if (least != largest)
      points.emplace_back(axes.x(line.x[std::max(least, largest)]), axes.y(line.y[std::max(least, largest)]));
  }
  return points;
}

/// A polyline for each stretch; a dot where a point stands alone.
void draw_curve(const Plot::Line &line, const Axes &axes, const Canvas::Pen &pen, Canvas &canvas)
{
  for (auto [first, end] = stretch_from(line, 0); first < end; std::tie(first, end) = stretch_from(line, end))
    if (end == first + 1)
      canvas.dot({axes.x(line.x[first]), axes.y(line.y[first])}, pen.colour);
    else
      canvas.polyline(points_of(line, first, end, axes), pen);
}

/// Labels of ticks, as many digits as tell neighbours apart; where that takes too many, what all have in common stands before them once:
/// "41666.67 + 1e-05".
struct Labels
{
  std::vector<double> ticks;
  double common = 0;
  int digits = 6;

  explicit Labels(const std::vector<double> &given) : ticks(given)
  {
    if (ticks.size() < 2)
      return;
    constexpr int most_digits = 7, of_multiples = 2;
    digits = std::max(digits, digits_of(ticks));
    if (digits <= most_digits)
      return;
    common = ticks.front();
    for (std::size_t i = 0; i < ticks.size(); ++i)  // multiples of the step: differences of the ticks have their rounding
      ticks[i] = double(i) * (given.back() - common) / double(ticks.size() - 1);
    digits = of_multiples;
  }
  std::string operator()(const std::size_t i) const { return fmt::format("{:.{}g}", ticks[i], digits); }
  std::string before() const { return common == 0. ? "" : fmt::format("{:.15g} +", common); }

private:
  static int digits_of(const std::vector<double> &ticks)
  {
    const double step = (ticks.back() - ticks.front()) / double(ticks.size() - 1),
                 size = std::max(std::abs(ticks.front()), std::abs(ticks.back()));
    return 1 + int(std::floor(std::log10(size) + 1e-9)) - int(std::floor(std::log10(step) + 1e-9));
  }
};

void draw_grid(const Plot &plot, const Axes &axes, Canvas &canvas)
{
  constexpr int count_x = 6, count_y = 6;
  const double x_end = Plot::width - right, y_end = axes.height - bottom;
  const std::vector<double> ticks_x = round_ticks(axes.x0, axes.x1, count_x), ticks_y = round_ticks(axes.y0, axes.y1, count_y);
  const Labels labels_x(ticks_x), labels_y(ticks_y);
  for (std::size_t i = 0; i < ticks_x.size(); ++i)
  {
    const double x = axes.x(ticks_x[i]);
    canvas.line({x, top}, {x, y_end}, grid_pen);
    canvas.text({x, y_end + 16}, Canvas::Anchor::middle, labels_x(i));
  }
  for (std::size_t i = 0; i < ticks_y.size(); ++i)
  {
    const double tick = ticks_y[i];
    if (plot.logarithmic && tick != std::round(tick))
      continue;
    const double y = axes.height - bottom - (tick - axes.y0) / (axes.y1 - axes.y0) * (axes.height - top - bottom);
    canvas.line({left, y}, {x_end, y}, grid_pen);
    canvas.text({left - 6, y + 4}, Canvas::Anchor::end, plot.logarithmic ? fmt::format("1e{:g}", tick) : labels_y(i));
  }
  if (!labels_x.before().empty())
    canvas.text({left, axes.height - 10}, Canvas::Anchor::start, labels_x.before());
  if (!labels_y.before().empty())
    canvas.text({6, top - 12}, Canvas::Anchor::start, labels_y.before());
  canvas.rectangle({left, top}, {x_end - left, y_end - top}, frame_pen);
  canvas.text({0.5 * (left + x_end), top - 12}, Canvas::Anchor::middle, plot.title, Canvas::Face::bold);
  canvas.text({0.5 * (left + x_end), axes.height - 10}, Canvas::Anchor::middle, plot.x_label);
  if (!plot.y_label.empty())
    canvas.text({16, 0.5 * (top + y_end)}, Canvas::Anchor::middle, plot.y_label, Canvas::Face::upright);
}

/// Scalable Vector Graphics (W3C, 1.1).
class SvgCanvas : public Canvas
{
public:
  explicit SvgCanvas(const double height)
      : svg(fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<style>.grid{{stroke:{2}}}.frame{{fill:none;stroke:{3}}}.title{{font-weight:bold;font-size:14px}}</style>\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
            Plot::width, height, grid_pen.colour, frame_pen.colour))
  {
  }
  void line(const Place &a, const Place &b, const Pen &pen) override
  {
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", a.first, a.second, b.first, b.second,
                       style(pen));
  }
  void rectangle(const Place &corner, const Place &size, const Pen &pen) override
  {
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", corner.first, corner.second, size.first, size.second,
                       style(pen));
  }
  void polyline(const std::vector<Place> &places, const Pen &pen) override
  {
    svg += "<polyline points=\"";
    for (const auto &[x, y] : places)
      svg += fmt::format("{:.1f},{:.1f} ", x, y);
    svg += fmt::format("\" {}/>\n", style(pen));
  }
  void dot(const Place &centre, const std::string &colour) override
  {
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" fill=\"{}\"/>\n", centre.first, centre.second, colour);
  }
  void text(const Place &place, const Anchor anchor, const std::string &words, const Face face) override
  {
    const char *const anchors[] = {"start", "middle", "end"};
    const std::string more = face == Face::bold      ? " class=\"title\""
                             : face == Face::upright ? fmt::format(" transform=\"rotate(-90 {} {:.1f})\"", place.first, place.second)
                                                     : "";
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", place.first, place.second, anchors[int(anchor)],
                       more, as_markup(words));
  }
  std::string whole() const { return svg + "</svg>\n"; }

private:
  static std::string style(const Pen &pen)
  {
    if (!pen.name.empty())
      return fmt::format("class=\"{}\"", pen.name);
    static const std::array<const char *, dashed> dashes{"", "6 3", "2 2", "8 3 2 3"};
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"{}\"", pen.colour, pen.width,
                       dashes[pen.dashes]);
  }

  std::string svg;
};
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
  if (!(step > 0.) || !std::isfinite(high / step))
    return {low};
  constexpr double rounding = 1e-9;
  const double first = std::ceil(low / step - rounding);  // k + 1 may be k where the range is rounding alone: counts from here
  const int more = int(std::min(std::floor(high / step + rounding) - first, 10. * count));
  std::vector<double> ticks;
  for (int k = 0; k <= more; ++k)
    ticks.push_back(first + k == 0. ? 0. : (first + k) * step);
  return ticks;
}

double Plot::height() const
{
  constexpr double least = 340;
  return std::max(least, top + bottom + row * lines.size());
}

void Plot::draw(Canvas &canvas) const
{
  for (const Line &line : lines)
    if (line.x.size() != line.y.size())
      throw std::logic_error(
          fmt::format("plot '{}': {} has {} abscissas and {} ordinates", title, line.name, line.x.size(), line.y.size()));
  const Axes axes = axes_of(*this, height());
  draw_grid(*this, axes, canvas);
  for (std::size_t k = 0; k < lines.size(); ++k)
  {
    const Line &line = lines[k];
    const Canvas::Pen pen{"", colours[(line.colour < 0 ? k : line.colour) % colours.size()], 1.5,
                          int((line.dashes < 0 ? k / colours.size() : line.dashes) % dashed)};
    draw_curve(line, axes, pen, canvas);
    const double y = top + row * (k + 0.5), x = width - right + 12;
    canvas.line({x, y}, {x + 26, y}, pen);
    canvas.text({x + 32, y + 4}, Canvas::Anchor::start, line.name);
  }
}

std::string Plot::svg() const
{
  SvgCanvas canvas(height());
  draw(canvas);
  return canvas.whole();
}
}  // namespace symdyn
