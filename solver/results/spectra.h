#pragma once
#include <string>
#include <vector>

#include "solver/base/spectrum.h"
#include "solver/base/units.h"
#include "solver/column.h"

namespace symdyn
{
class Parameters;

/// The spectra that a deck wants of columns of history.csv: Output/Spectra.
class Spectra
{
public:
  void declare(Parameters &p);
  /// Errors: InputError for a column that the table will not have.
  void check(const std::vector<Column> &columns) const;
  /// Reads history.csv in `folder` and writes spectra.csv: `frequency [1/s]` (Hz, if the time is in s) and a column of amplitudes for each
  /// column. Of the rows of the last stage in the table. Warns, and writes nothing, if there are no rows at equal distances. Collective.
  /// Errors: ComputationError.
  void write(const std::string &folder, const Units &units) const;

private:
  std::vector<std::string> wanted;
  std::string where, window_name = "hann";
};
}  // namespace symdyn
