#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class Canvas;

/// A diagram of lines.
struct Plot
{
  struct Line
  {
    std::string name;
    std::vector<double> x, y;
    int colour = -1, dashes = -1;  ///< numbers of styles; -1: by the place in the list
  };
  std::string title, x_label, y_label;
  bool logarithmic = false;  ///< y; values of zero and below are drawn at the lower edge
  std::vector<Line> lines;

  /// In pixels.
  static constexpr double width = 860;
  double height() const;
  /// Errors: std::logic_error if a line has not as many y as x.
  void draw(Canvas &canvas) const;
  /// As text of a picture that any browser shows. Errors: as draw.
  std::string svg() const;
};

/// About `count` round numbers from `low` to `high`.
std::vector<double> round_ticks(double low, double high, int count);
/// &, < and > written so that HTML and SVG show them.
std::string as_markup(const std::string &text);
}  // namespace symdyn
