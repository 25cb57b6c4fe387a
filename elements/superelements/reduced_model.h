#pragma once
#include <string>
#include <vector>

#include "elements/place.h"
#include "solver/drawn_shapes.h"

namespace symdyn
{
/// A reduced model as a stage of Type = substructure writes it: masters, then amplitudes of modes.
struct ReducedModel
{
  /// The displacement of a node along an axis [m], or its rotation about one [rad].
  struct Master
  {
    std::size_t node;  ///< of nodes
    bool turns;
    Place axis;  ///< a unit vector
    std::string name;
  };
  std::vector<Place> nodes;  ///< [m]
  std::vector<Master> masters;
  std::size_t modes = 0;
  std::vector<double> K, M, C;     ///< by rows, symmetric [N/m], [kg], [kg/s] of displacements; C empty: no damping
  std::vector<std::string> loads;  ///< names of what it has beside those
  std::vector<std::string> units;  ///< of lengths, masses and times; {}: not said
  DrawnShapes inside;              ///< cells and T at their points; none: not in the file
  double highest = 0;              ///< frequency of the modes [Hz]

  std::size_t size() const { return masters.size() + modes; }
  /// Coordinates of a translation along axis d.
  std::vector<double> translation(int d) const;
  /// The mass that moves with it [kg]; the largest along an axis.
  double mass() const;
  /// Whether translations along the first `dimension` axes have no stiffness and the same mass.
  bool carries_all(int dimension) const;

  /// Of a file, an archive of NumPy. Errors: InputError for what is no reduced model.
  static ReducedModel read(const std::string &file);
};
}  // namespace symdyn
