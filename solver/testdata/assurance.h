#pragma once
#include <complex>
#include <optional>
#include <string>
#include <vector>

// How much shapes and functions of two sources agree.
namespace symdyn
{
using SensorShape = std::vector<std::complex<double>>;  ///< a value a sensor

/// |aᴴ b|² / ((aᴴ a)(bᴴ b)): modal assurance criterion (Allemang, Brown 1982); 0 where one is zero.
double mac(const SensorShape &a, const SensorShape &b);
/// [a][b]
std::vector<std::vector<double>> mac_table(const std::vector<SensorShape> &a, const std::vector<SensorShape> &b);

/// Shapes as sums of real ones: p = Phi⁺ a, least squares. Of modes whose mass is one it measures by the mass that SEREP (O'Callahan,
/// Avitabile, Riemer 1989) leaves at the sensors, M = Phi⁺ᵀ Phi⁺. Modes that move the sensors by less than a tenth of what others do have
/// zero. Nothing: there are fewer sensors than modes, or modes that sensors cannot tell apart.
std::optional<std::vector<SensorShape>> modal_coordinates(const std::vector<SensorShape> &a, const std::vector<SensorShape> &modes);

/// The partner of each row, or -1: one to one, with the largest sum of a table (Kuhn 1955; Munkres 1957).
std::vector<int> best_pairs(const std::vector<std::vector<double>> &table);

/// (sum |a_k b_k|)² / (sum |a_k|² sum |b_k|²) over pairs k, of each sensor: coordinate modal assurance criterion (Lieven, Ewins 1988);
/// not a number where neither moves.
std::vector<double> comac(const std::vector<SensorShape> &a, const std::vector<SensorShape> &b);

/// The same as mac() of two frequency response functions at the same frequencies (Heylen, Lammens 1996).
inline double frac(const SensorShape &a, const SensorShape &b) { return mac(a, b); }

/// Shapes of two sources at the same sensors, compared.
struct ShapeComparison
{
  /// A shape of one source.
  struct Mode
  {
    std::string title;
    double frequency;  ///< [Hz]
    double ratio;      ///< zeta
  };
  struct Pair
  {
    std::size_t a, b;
    double mac;
  };
  std::string name_a, name_b;
  std::vector<Mode> a, b;
  std::vector<std::vector<double>> table;                   ///< [a][b]
  std::optional<std::vector<std::vector<double>>> by_mass;  ///< with the mass of `b`
  std::vector<Pair> pairs;                                  ///< of a MAC of at least a tenth
  std::vector<std::string> sensors;
  std::vector<double> coordinate;  ///< COMAC of each sensor over the pairs

  /// `coordinates`: modal_coordinates() of the shapes of `a` in those of `b`, if these are modes whose mass is one.
  ShapeComparison(std::string name_a, std::vector<Mode> modes_a, const std::vector<SensorShape> &shapes_a, std::string name_b,
                  std::vector<Mode> modes_b, const std::vector<SensorShape> &shapes_b, std::vector<std::string> sensors,
                  const std::optional<std::vector<SensorShape>> &coordinates);
  /// Lines for a log; files: the table, the pairs, the sensors; a picture of the table.
  std::string lines(const std::string &unit_of_frequency) const;
  std::string table_csv() const;
  std::string pairs_csv(const std::string &unit_of_frequency) const;
  std::string sensors_csv() const;
  std::string svg() const;
};
}  // namespace symdyn
