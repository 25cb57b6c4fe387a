#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// The largest value of a sum of modal answers R_i, of which each has its largest value at another time.
class ModalCombination
{
public:
  /// srss: sqrt(sum R_i²); abs: sum |R_i|; cqc: sqrt(sum rho_ij R_i R_j),
  ///     rho_ij = 8 sqrt(z_i z_j) (z_i + r z_j) r^1.5 / ((1 - r²)² + 4 z_i z_j r (1 + r²) + 4 (z_i² + z_j²) r²),   r = omega_j/omega_i
  /// (Der Kiureghian 1981; Wilson, Der Kiureghian, Bayo 1981); ten-percent: sqrt(sum R_i² + 2 sum |R_i R_j|) over pairs whose frequencies
  /// differ by at most a tenth of the lower one (U.S. NRC, Regulatory Guide 1.92, 1976).
  ModalCombination(const std::string &rule, const std::vector<double> &omega, const std::vector<double> &zeta);
  static std::vector<std::string> rules() { return {"cqc", "srss", "abs", "ten-percent"}; }

  /// Whether a rule adds sizes of answers, not answers with their signs.
  static bool of_sizes(const std::string &rule) { return rule == "abs" || rule == "ten-percent"; }

  double of(const std::vector<double> &R) const;
  double correlation_of(std::size_t i, std::size_t j) const { return rho[i * n + j]; }
  static double correlation(double omega_i, double zeta_i, double omega_j, double zeta_j);

private:
  std::size_t n;
  bool sizes;               ///< of |R_i| |R_j|
  std::vector<double> rho;  ///< n x n
};

/// The largest value under motions along several directions, of which each alone has the value R_d >= 0: srss; abs; 100-30-30: the largest
/// of R_x + 0.3 R_y + 0.3 R_z and the like (Newmark 1975); 100-40-40 (ASCE 4).
double over_directions(const std::string &rule, std::vector<double> R);
}  // namespace symdyn
