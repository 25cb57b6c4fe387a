#pragma once
#include <complex>
#include <string>
#include <vector>

namespace symdyn
{
/// X_k = sum_n x_n exp(-2 pi i k n/N), k < N, any N: by halves where N is a power of two (Cooley and Tukey 1965), otherwise as a
/// convolution of such lengths (Bluestein 1970). Pinned by Spectra.TransformIsTheDefinition
std::vector<std::complex<double>> fourier(const std::vector<std::complex<double>> &x);

enum class Window
{
  none,
  hann
};

/// Amplitudes of the sinusoids that make up N samples at distances dt, N >= 2, f_k = k/(N dt), k = 0 .. N/2:
///     A_0 = mean of x,   A_k = c |sum_n w_n (x_n - A_0) exp(-2 pi i k n/N)| / sum_n w_n,   c = 2; 1 where 2 k = N
/// in the unit of x. With the window w_n = ½ (1 - cos(2 pi n/N)) (Hann; Harris 1978) a sinusoid of N f dt whole periods has its amplitude A
/// at f and A/2 at both neighbours; without, A at f alone, but those of other periods leak farther.
std::vector<double> amplitudes(const std::vector<double> &x, Window window);

/// Samples of columns at equal distances of time.
struct UniformRows
{
  double start = 0, step = 0;                ///< [s]
  std::vector<std::vector<double>> columns;  ///< by column, then by row
};
/// Rows that lie on the grid of their most frequent distance; those between (the last row of a run, the first after a restart) are left
/// out, of rows at one time the last stands. Errors: InputError if rows are missing on the grid, or fewer than 4 are left, or a value is
/// not finite.
UniformRows uniform_rows(const std::vector<double> &t, const std::vector<std::vector<double>> &columns,
                         const std::vector<std::string> &names);
}  // namespace symdyn
