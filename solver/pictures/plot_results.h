#pragma once
#include <string>
#include <vector>

namespace symdyn
{
struct PlotOptions
{
  std::vector<std::string> results;  ///< folders of runs, drawn over one another
  std::string output;                ///< folder of the pictures; default: plots/ in the first of the results
  std::vector<std::string> columns;  ///< these alone, if any are given
  std::string format = "svg";        ///< or png
};

/// Draws pictures of history.csv, spectra.csv and the sweeps of harmonic stages: energy, balance, momenta, then the columns of probes,
/// supports and sections, a picture for each quantity (u, v, a, R, F, M); returns the names of the files. Errors: InputError for folders,
/// files or columns that are not there, and for PNG as Display (render_display.h).
std::vector<std::string> plot_results(const PlotOptions &options);
}  // namespace symdyn
