#include "solver/vibration/mode_tables.h"
#include "solver/unknowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace symdyn
{
namespace
{
const std::array<std::string, 6> six_motions{"x", "y", "z", "rx", "ry", "rz"};
const std::string mode_columns =
    "MODE NO.   X-COMPONENT     Y-COMPONENT     Z-COMPONENT     X-ROTATION      Y-ROTATION      Z-ROTATION\n\n";

std::string mode_row(const std::string &start, const std::array<double, 6> &values)
{
  std::string text = fmt::format("{:>7}", start);
  for (const double value : values)
    text += "  " + fortran(value);
  return text + "\n";
}

/// Factors of each mode in the six motions, of which a plane body has three; and the mass of each motion.
struct FreeParticipation
{
  std::vector<std::array<double, 6>> factors;
  std::array<double, 6> total{};

  FreeParticipation(const MechanicalSystem &system, const Modes &modes) : factors(modes.size(), std::array<double, 6>{})
  {
    const Vector undeformed = system.new_vector();
    Vector xi = system.new_vector(), Mxi = system.new_vector();
    const std::vector<std::string> momenta = system.unknowns().momenta();
    for (std::size_t j = 0; j < momenta.size(); ++j)
    {
      const std::string name = (momenta[j][0] == 'J' ? "r" : "") + momenta[j].substr(momenta[j].size() - 1);
      const std::size_t at = std::find(six_motions.begin(), six_motions.end(), name) - six_motions.begin();
      if (at == six_motions.size())
        continue;
      system.unknowns().generator(j, undeformed, xi);
      xi.zero_out_ghost_values();
      system.project(xi);
      xi.update_ghost_values();
      system.mass(xi, Mxi);
      total[at] = xi * Mxi;
      const std::vector<double> parts = modes.project(Mxi);
      for (std::size_t i = 0; i < modes.size(); ++i)
        factors[i][at] = parts[i];
    }
  }
};
/// Rows of eigenvalues; `first`: how the row of a mode begins.
std::string eigenvalue_rows(const Modes &modes, const std::function<std::string(std::size_t)> &first)
{
  std::string text;
  const double pi = std::acos(-1.);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const double root = std::sqrt(std::abs(modes.squares[i])), real = modes.squares[i] > 0. ? root : 0.,
                 imaginary = modes.squares[i] < 0. ? root : 0.;
    text += fmt::format("{}  {}  {}  {}  {}\n", first(i), fortran(modes.squares[i]), fortran(real), fortran(real / (2. * pi)),
                        fortran(imaginary));
  }
  return text;
}
}  // namespace

std::string fortran(const double value, const int digits)
{
  std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const auto e = text.find('e');
  std::string figures;
  for (const char c : text.substr(0, e))
    if (c >= '0' && c <= '9')
      figures += c;
  const int exponent = std::stoi(text.substr(e + 1)) + (value == 0. ? 0 : 1);
  return fmt::format("{}0.{}E{}{:02d}", std::signbit(value) ? "-" : " ", figures, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string calculix_modes(const MechanicalSystem &system, const Modes &modes)
{
  std::string text =
      "\n     E I G E N V A L U E   O U T P U T\n\n MODE NO    EIGENVALUE                       FREQUENCY   \n"
      "                                     REAL PART            IMAGINARY PART\n"
      "                           (RAD/TIME)      (CYCLES/TIME     (RAD/TIME)\n\n" +
      eigenvalue_rows(modes, [](const std::size_t i) { return fmt::format("{:7d}", i + 1); });
  const FreeParticipation participation(system, modes);
  text += "\n     P A R T I C I P A T I O N   F A C T O R S\n\n" + mode_columns;
  for (std::size_t i = 0; i < modes.size(); ++i)
    text += mode_row(std::to_string(i + 1), participation.factors[i]);
  text += "\n     E F F E C T I V E   M O D A L   M A S S\n\n" + mode_columns;
  std::array<double, 6> sum{};
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    std::array<double, 6> masses{};
    for (std::size_t j = 0; j < masses.size(); ++j)
      sum[j] += masses[j] = participation.factors[i][j] * participation.factors[i][j];
    text += mode_row(std::to_string(i + 1), masses);
  }
  text += mode_row("TOTAL  ", sum);
  return text + "\n     T O T A L   E F F E C T I V E   M A S S\n\n" + mode_columns + mode_row("", participation.total) + "\n";
}

std::string calculix_cyclic_modes(const Modes &modes, const std::vector<int> &diameters)
{
  std::size_t before = 0;  // modes of fewer diameters
  const auto first = [&](const std::size_t i) {
    before = i > 0 && diameters[i] != diameters[i - 1] ? i : before;
    return fmt::format("{:5d}    {:7d}", diameters[i], i - before + 1);
  };
  return "\n     E I G E N V A L U E   O U T P U T\n\n  NODAL   MODE NO    EIGENVALUE                      FREQUENCY\n"
         " DIAMETER                                    REAL PART            IMAGINARY PART\n"
         "                                    (RAD/TIME)      (CYCLES/TIME)   (RAD/TIME)\n\n" +
         eigenvalue_rows(modes, first) + "\n";
}

std::string calculix_shares(const double frequency, const Modes &modes, const std::vector<std::complex<double>> &shares)
{
  std::string text = fmt::format("\nP A R T I C I P A T I O N   F A C T O R S   F O R   F R E Q U E N C Y   {} (CYCLES/TIME)\n\n",
                                 fortran(frequency, 13)) +
                     " MODE NO    FREQUENCY               FACTOR\n           (CYCLES/TIME)      REAL        IMAGINARY\n\n";
  for (std::size_t i = 0; i < modes.size(); ++i)
    text += fmt::format("{:7d}  {}  {}  {}\n", i + 1, fortran(modes.frequency(i)), fortran(shares[i].real()), fortran(shares[i].imag()));
  return text;
}

std::string calculix_mode_title(const std::size_t number)
{
  return fmt::format("\n\n                    E I G E N V A L U E    N U M B E R {:5d}\n\n", number);
}
}  // namespace symdyn
