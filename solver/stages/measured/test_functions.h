#pragma once
#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "solver/stages/measured/test_file.h"

namespace symdyn
{
struct Analysis;
class Stage;

/// Frequency response functions that were measured (dataset 58), beside those of a stage.
class TestFunctions
{
public:
  void declare(Parameters p);
  bool given() const { return file.given(); }
  /// Reads the file. Errors: InputError.
  void check(const Analysis &analysis);

  /// Where a function of the stage begins or ends.
  struct End
  {
    std::string label, name;  ///< "tip.y", "tip"
    std::array<double, 3> position{};
    int axis = 0;
  };
  /// Of the stage: its places [Hz], values, and the number of derivatives in time that it has of a displacement.
  struct Function
  {
    End response, reference;
    std::vector<double> frequency;
    std::vector<std::complex<double>> values;
    int derivatives = 0;
  };
  /// FRAC of each function that has a partner: by the places of its nodes, or where the file has none by their names. At the frequencies of
  /// the test within those of the stage, where the stage's values are interpolated.
  void compare(Analysis &analysis, const Stage &stage, const std::vector<Function> &functions) const;

private:
  /// 1, -1: the same direction, the opposite one; 0: another place or axis.
  int same(const End &end, const UniversalFile::Freedom &freedom, double tolerance) const;
  std::optional<double> frac_of(const Function &function, double tolerance, std::size_t &points) const;

  TestFile file;
  UniversalFile content;
  double factor = 1;
};
}  // namespace symdyn
