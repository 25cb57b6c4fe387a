#pragma once
#include <string>
#include <utility>
#include <vector>

namespace symdyn
{
/// What a diagram is drawn on: places in pixels, from the upper left corner. Colours are written #rrggbb.
class Canvas
{
public:
  using Place = std::pair<double, double>;
  enum class Anchor
  {
    start,
    middle,
    end
  };
  enum class Face
  {
    plain,
    bold,
    upright
  };  ///< upright: read from below
  /// Of lines; the name tells those of the grid and the frame from curves.
  struct Pen
  {
    std::string name, colour;
    double width = 1;
    int dashes = 0;  ///< 0: none; 1, 2, 3: long, short, both
  };

  virtual ~Canvas() = default;
  virtual void line(const Place &a, const Place &b, const Pen &pen) = 0;
  virtual void rectangle(const Place &corner, const Place &size, const Pen &pen) = 0;
  virtual void polyline(const std::vector<Place> &places, const Pen &pen) = 0;
  virtual void dot(const Place &centre, const std::string &colour) = 0;
  virtual void text(const Place &place, Anchor anchor, const std::string &words, Face face = Face::plain) = 0;
};
}  // namespace symdyn
