#pragma once
#include <functional>
#include <string>
#include <vector>

#include "elements/element_rows.h"
#include "elements/lumped/parts.h"
#include "elements/output/calculix/print_schedule.h"

namespace symdyn
{
class DiscreteModel;
struct SurfaceMesh;

/// Tables of points and lines of a discrete structure in the form of CalculiX (PrintTables: of solids).
///
///     displacements, velocities    of Points
///     forces                       on them: dV/dq of all terms but gravity [N]; of a field about a state: K u
///     stresses                     of Lines, which are springs and bars of small displacements: tension/area n n, as many times as
///     CalculiX has points of integration
///     temperatures                 of Points that are nodes of heated beams and shells, of their axis or middle surface
///     section forces, stresses     of sets of beams and shells: SF, S (StructurePart::tabulate)
class DiscreteTables : public PrintSchedule
{
public:
  /// `mesh`: of shells and beams; nullptr: there is none. Errors: InputError.
  void declare(Parameters p, const DiscreteModel &model, const SurfaceMesh *mesh);
  static void document(const Parameters &p);
  /// Of all points, `dimension` numbers each: displacements [m], velocities [m/s], forces [N].
  struct Motion
  {
    std::vector<double> u, v, forces;
    std::function<ElementTables(const std::string &quantity, const ElementNumbers &)> of_elements;  ///< of beams and shells
    PrintTable::Rotations rotations;
    std::vector<double> temperatures;                        ///< one a point; NaN: it is no node of a beam or shell that is heated
    std::vector<std::shared_ptr<const DiscreteTerm>> terms;  ///< those of the parts, at the temperatures of the state
  };
  /// Whether it has temperatures of points; `where`: in the deck.
  bool prints_temperatures(std::string &where) const;
  /// The text of the tables that are due at t.
  std::string print(const LumpedParts &parts, const Motion &motion, double t, const OutputTime &moment) const;
  /// The same of a displacement about a state. Errors: InputError for velocities.
  std::string print(const LumpedParts &parts, const Motion &motion, const PrintedField &field, const OutputTime &moment) const;

private:
  std::string temperatures(std::size_t number, const Motion &motion, double time) const;
  /// What a table is of.
  struct Places
  {
    std::vector<std::string> lines;
    std::vector<double> areas;  ///< [m²]
    std::vector<int> points;    ///< numbers of the points, or of the terms
    ElementNumbers elements;    ///< of a set of beams and shells

    void declare(Parameters &p);
  };
  void find(Places &places, const PrintTable &table, const Parameters &p, const DiscreteModel &model) const;
  /// Of beams and shells. Errors: InputError.
  void find_elements(Places &places, const PrintTable &table, const Parameters &p, const SurfaceMesh &mesh) const;
  std::string written(std::size_t number, const LumpedParts &parts, const Motion &motion, double time) const;
  std::string stresses(std::size_t number, const LumpedParts &parts, const Motion &motion, double time) const;

  std::vector<Places> places;  ///< of each table
};
}  // namespace symdyn
