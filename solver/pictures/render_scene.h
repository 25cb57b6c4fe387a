#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/pictures/images/render_image.h"
#include "solver/pictures/render_frames.h"
#include "solver/pictures/render_view.h"

namespace symdyn
{
struct SceneOptions
{
  std::string field;  ///< of points or cells: a scalar, or a vector or tensor whose norm is shown
  std::string title, time_unit, field_unit;
  enum class Axis
  {
    time,
    number,                                    ///< of a shape
    frequency,                                 ///< of a harmonic vibration
    none                                       ///< one frame of largest values, or of root mean squares
  } axis = Axis::time;                         ///< along which the frames of a collection stand
  std::optional<double> scale;                 ///< factor on the displacement; default: 1, of shapes an eighth of the body's size
  std::optional<std::array<double, 2>> range;  ///< of the colours; default: of all frames drawn
  int width = 1280, height = 720;
  bool z_up = false;         ///< of pictures in space; else y
  std::optional<View> view;  ///< default: from the front in 2-D, from the side and above in 3-D
  bool edges = false;        ///< of the cells on the surface
  std::string colors;        ///< a name of color_map_names()
};

/// The body of some frames, moved by its displacement and coloured by a field, before the outline of the undeformed one; colour bar, title,
/// time. Camera and colours are the same in all pictures. Needs a display (render_display.h). Errors: InputError for a field that the
/// frames do not have, and for a view or edges that show nothing.
class Scene
{
public:
  Scene(const std::vector<FrameFiles> &frames, const SceneOptions &options);
  ~Scene();
  Scene(const Scene &) = delete;
  Image draw(const FrameFiles &frame);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// What is shown where nothing else is asked for: von Mises stress, or displacement where there is no stress.
std::string usual_field(const FrameFiles &frame);
}  // namespace symdyn
