#pragma once
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
struct Analysis;
class Stage;

/// Which supports hold in which stage, and what happens where that changes.
class SupportProgramme
{
public:
  /// Errors: InputError for names that there are not, supports that contradict each other in a stage, or that stand where nothing has
  /// stood yet.
  void check(Analysis &analysis);
  bool change() const { return changing; }
  /// A run goes on to this stage.
  void begin(Analysis &analysis, const Stage &stage);
  /// After a restart, in the present stage.
  void resume(Analysis &analysis);

  /// Whether supports begin or go in a perturbation: those that begin oscillate.
  static bool oscillate(const Analysis &analysis, const Stage &stage);
  /// What supports that begin in this stage prescribe at times, less where the structure stands; those that hold before it stay.
  std::vector<Vector> motions_at(Analysis &analysis, const Stage &stage, const std::vector<double> &times) const;

private:
  static std::vector<bool> holding_in(const Analysis &analysis, const Stage &stage);
  void check_stages(Analysis &analysis);
  static void fade(Analysis &analysis, const Stage &stage);
  static void report(Analysis &analysis, const Stage &stage, const std::vector<bool> &begin, const std::vector<bool> &end);
  static void report_jump(Analysis &analysis, const Stage &stage);

  bool changing = false;      ///< from stage to stage
  std::vector<bool> holding;  ///< in the last stage that is not about a state at rest
};
}  // namespace symdyn
