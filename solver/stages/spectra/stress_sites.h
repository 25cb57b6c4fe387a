#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/column.h"
#include "solver/stress_points.h"
#include "solver/vector.h"

namespace symdyn
{
struct Analysis;
class LinearQuantities;

/// Where a stage of spectra has stresses: probes with Stress = yes, and the points of frames.
class StressSites
{
public:
  /// `fields`: of frames, too. The quantities must outlive this.
  StressSites(const LinearQuantities &quantities, bool fields);
  /// A warning where the stresses of beams are those along their axes alone.
  void warn_of_beams(const std::string &stage) const;
  bool any() const { return !probes.empty() || in_frames; }
  /// Stresses of each of some displacements u [m], six a site: those of probes first, which are among the values of the quantities.
  /// Collective.
  std::vector<std::vector<double>> of(const std::vector<std::vector<double>> &values, const std::vector<Vector> &u) const;

  /// Values at all sites.
  struct Field : PointValues
  {
    std::string unit;
  };
  /// STEM-stress.csv: a line a probe, and one of the point of the structure where the first field of one component is largest; the same in
  /// frames STEM.pvd, with a displacement [m]. Collective.
  void write(Analysis &analysis, const std::string &stage, const std::string &stem, const std::vector<Field> &fields,
             const Vector &displacement) const;

private:
  struct ProbeColumns
  {
    std::string name;
    std::array<int, StressPoints::components> column;  ///< among the quantities; -1: it is 0
  };
  std::string line_of(const std::string &name, const std::vector<Field> &fields, std::size_t site) const;
  /// The line of the largest value, from the rank that has it. Collective.
  std::string line_of_largest(const Analysis &analysis, const std::string &stage, const std::vector<Field> &fields) const;

  const LinearQuantities &quantities;
  std::vector<ProbeColumns> probes;
  std::vector<double> places;  ///< of points of frames
  bool in_frames = false;
};

/// "S_xx" and the like.
std::string stress_name(std::size_t component);
}  // namespace symdyn
