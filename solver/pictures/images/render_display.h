#pragma once
#include <sys/types.h>

namespace symdyn
{
/// A display that VTK can draw on: an Xvfb of its own, which ends with the object; without Xvfb the one of DISPLAY. Errors: InputError that
/// names the packages if there is neither, or Xvfb does not start.
class Display
{
public:
  Display();
  ~Display();
  Display(const Display &) = delete;

private:
  pid_t server = -1;
};
}  // namespace symdyn
