#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/lumped/constraint_set.h"
#include "elements/lumped/equations.h"
#include "elements/lumped/term.h"
#include "elements/temperature_field.h"
#include "solver/deck/formula/time_integral.h"

namespace symdyn
{
/// A point mass, or a director: a column of the matrix of a rigid body, which turns with it and does not move along.
struct LumpedPoint
{
  std::string name;
  std::string where;  ///< in the deck
  double mass = 0;    ///< [kg]
  std::array<double, 3> position{};
  bool fixed = false;              ///< moves as prescribed, or rests
  std::array<bool, 3> free{};      ///< components of a fixed point that are not
  bool massless = false;           ///< equations alone say how it moves
  std::vector<Expression> motion;  ///< displacement of a fixed point, formulas of t [m]; empty: rests
  std::vector<std::shared_ptr<TimeIntegral>>
      integrals;                              ///< of motion, where that is a velocity or an acceleration; empty: it is the displacement
  std::optional<std::array<double, 3>> spin;  ///< of the directors of beams and shells there at t = 0, about x, y, z [rad/s]
  std::int64_t node = -1;                     ///< of the mesh whose displacement the point shares; -1: its own
  bool rigid = false;                         ///< of a director: a penalty or constraints keep the matrix a rotation
  int director_of = -1;                       ///< the centre, if this is a column of the matrix of a rigid body, -1 otherwise
  bool holds(const int d) const { return fixed && !free[d]; }
  /// "bob (fixed)", "bob (fixed but for x)"
  std::string support() const;
};

/// A force on a point: one formula of t a component [N].
struct LumpedForce
{
  int point = 0;
  std::vector<Expression> force;
  std::size_t name = 0;  ///< its place in load_names
};

/// Points in 1, 2 or 3 dimensions with terms of a potential between them, dashpots, dead loads and constraints, as a deck describes them:
/// the same on every rank.
struct LumpedParts
{
  int dimension = 3;
  std::vector<LumpedPoint> points;
  std::vector<std::shared_ptr<DiscreteTerm>> terms;
  std::vector<double> dashpots;  ///< c of each point to the ground [N s/m]; empty: none
  std::vector<std::shared_ptr<DampingTerm>> damping;
  std::vector<std::shared_ptr<const Constraint>> constraints, penalties;
  double penalty_omega = 0;
  bool project = false;  ///< the start onto the constraints
  std::vector<Equation> equations;
  std::vector<LumpedForce> loads;
  std::vector<std::string> load_names;
  std::array<double, 3> gravity{};                      ///< [m/s²]
  std::shared_ptr<const TemperatureField> temperature;  ///< of elements that expand; nullptr: there are none
  const Actions *actions = nullptr;                     ///< of the stage, which heats

  std::size_t coordinates() const { return std::size_t(dimension) * points.size(); }
  /// X of all points.
  std::vector<double> positions() const;
  /// Pairs of points that terms and dashpots couple.
  void couple(const std::function<void(int, int)> &join) const;
};
}  // namespace symdyn
