#pragma once
#include <string>

#include "solver/parameters.h"
#include "solver/testdata/universal_file.h"

namespace symdyn
{
struct Analysis;

/// Section `Test data` of a stage: a universal file, and how its places are those of the structure.
class TestFile
{
public:
  /// `what`: what the file has to hold, for the help. Once all entries of the section are there, check_entries(). Errors: InputError.
  void declare(Parameters &p, const std::string &what);
  void check_entries(const Parameters &p);
  bool given() const { return !path.empty(); }
  const std::string &name() const { return file; }
  const std::string &where() const { return place; }
  const std::string &full_path() const { return path; }
  /// Errors: InputError.
  UniversalFile read() const;
  /// A length of the file times this is one of the deck.
  double factor_of(const Analysis &analysis, const UniversalFile &content) const;
  /// The largest distance of two places that are one.
  double tolerance_of(const Analysis &analysis) const;

private:
  std::string file, path, place, units = "automatic";
  double tolerance = 0;
};
}  // namespace symdyn
