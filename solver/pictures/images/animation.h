#pragma once
#include "solver/pictures/images/render_image.h"

namespace symdyn
{
/// A file that pictures of one size are written to, one after the other.
class Animation
{
public:
  virtual ~Animation() = default;
  /// Errors: InputError if the file cannot be written; std::logic_error for a picture of another size.
  virtual void add(const Image &image) = 0;
  /// After the last picture. Errors: InputError if the file cannot be written.
  virtual void finish() = 0;
};
}  // namespace symdyn
