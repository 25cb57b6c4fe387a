#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// What `symdyn spectrum` is given.
struct ShockOptions
{
  std::string file, column, output;
  std::vector<double> range;  ///< lowest and highest frequency [Hz]; empty: what the record resolves
  double per_octave = 12, quality = 10;
  bool overwrite = false;
};

/// The shock response spectrum of a record: a table (CSV), printed, or written to `output`. Warnings go to the standard error. Returns the
/// name of the file; "": it is printed. Errors: InputError.
std::string write_shock_spectrum(const ShockOptions &options);
}  // namespace symdyn
