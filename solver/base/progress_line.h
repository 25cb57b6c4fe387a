#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// The line that a run shows while it computes, and the time that its stage still takes.
class ProgressLine
{
public:
  /// `done` of stage number `stage`, from 0 to 1, at this wall time [s]. A new stage begins a new estimate.
  void sample(std::size_t stage, double done, double now);
  /// Wall time to the end of the stage at the rate so far [s]; negative as long as there are too few samples to tell.
  double left() const;

  /// Joins what fits into the columns. The fields stand in the order given; those of the highest rank are left out first.
  struct Field
  {
    std::string text;
    int rank;  ///< 0: always shown
  };
  static std::string line(std::vector<Field> fields, std::size_t columns = 79);  ///< 79: the last one of 80 would wrap

private:
  std::size_t stage = 0;
  long samples = 0;
  double first_done = 0, first_time = 0, done = 0, time = 0;
};

/// "45 s", "12 min 5 s", "3 h 20 min"
std::string duration_text(double seconds);
}  // namespace symdyn
