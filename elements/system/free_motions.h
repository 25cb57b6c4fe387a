#pragma once
#include <string>
#include <vector>

#include "elements/lumped/parts.h"
#include "elements/space/row_factor.h"

namespace symdyn
{
/// A part of a body that moves without strain as u = t + w x (x - centre)/size: dim (dim - 1)/2 rotations w, then `dim` translations t.
struct RigidPart
{
  std::string name;  ///< "part 2 of 3"
  Place centre{};
  double size = 1;  ///< [m]
  RowFactor held;   ///< what supports hold of its motions
};

/// A place that two of them share.
struct SharedPlace
{
  int first, second;
  Place position;
};

/// Combinations of rigid motions of parts and of displacements of points that nothing resists: neither supports, nor equations, nor what
/// acts between points. The null space of the matrix whose rows are held components, equations, elongations and rows of V'' of points. The
/// same on every rank; no calls of MPI.
class FreeMotions
{
public:
  struct Given
  {
    int dimension = 3;
    std::vector<RigidPart> parts;
    std::vector<SharedPlace> shared;
    const LumpedParts *points = nullptr;  ///< nullptr: none
    std::vector<int> part_of_point;       ///< -1: the point has a displacement of its own
    std::vector<double> x, arms;          ///< coordinates of the points at present; where they turn with their part [m]
    std::vector<bool> equations_hold;     ///< empty: all
  };
  /// One of them: of each part its motions, of each point its own displacement.
  struct Motion
  {
    std::vector<std::vector<double>> of_parts;
    std::vector<double> of_points;
  };

  explicit FreeMotions(Given given);

  /// Parts with the same number are joined by points, equations or shared nodes.
  const std::vector<int> &groups() const { return group_of_part; }
  /// Independent free motions of the groups of parts (points alone that can move as a mechanism are none), and translations of groups of
  /// points that have no part.
  const std::vector<Motion> &motions() const { return found; }
  const Given &about() const { return given; }

private:
  using Row = std::vector<std::pair<int, double>>;
  int rotations() const { return n * (n - 1) / 2; }
  int motions_of_part() const { return rotations() + n; }
  void find_groups();
  void number_columns();
  void add_supports();
  void add_equations();
  void add_terms();
  void add_stiffness(const DiscreteTerm &term, const std::vector<double> &x);
  std::vector<double> irregular_positions() const;
  /// row += factor * displacement of a place on a part, of a point.
  void add_place(int part, const Place &position, int d, double factor, Row &row) const;
  void add_coordinate(int coordinate, double factor, Row &row) const;
  /// A row of the group of this coordinate of a point, divided by `scale`.
  void put(int coordinate, const std::vector<std::pair<int, double>> &of_coordinates, double scale);
  void put(int group, const Row &row);
  void find_motions(int group);

  Given given;
  int n;
  std::vector<int> group_of_part, group_of_point;
  std::vector<char> has_part;  ///< of groups
  std::vector<int> columns;    ///< of groups; 0: too many to be looked at
  std::vector<int> first_of_part, first_of_point;
  std::vector<RowFactor> factors;  ///< of groups
  std::vector<Motion> found;
};

/// "part 2 of 3 may turn about z through (1.6, 0.5, 0.5) m and move along z", of some of its motions; `unit`: " m". "" of none.
std::string in_words(const FreeMotions &free, const std::vector<const FreeMotions::Motion *> &motions, const std::string &unit);
}  // namespace symdyn
