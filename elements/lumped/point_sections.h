#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/lumped/model.h"
#include "elements/mesh_points.h"
#include "solver/column.h"
#include "solver/mechanical_system.h"
#include "solver/structure.h"

namespace symdyn
{
/// What a deck says about points: Points, every registered DiscreteSection (Bars, Springs, ...) and Constraints. Of a discrete structure,
/// or of a solid, where points may stand on nodes of the mesh.
class PointSections
{
public:
  DiscreteModel model;

  /// Whether the deck has any of these sections.
  static bool given(const Parameters &root);
  /// Whether the deck gives some of them an expansion.
  static bool expand(const Parameters &root);
  /// Of those that expand. Errors: InputError for temperatures of named nodes, which they do not have.
  void set_temperatures(std::shared_ptr<const TemperatureField> field, const Actions &actions);
  /// Reads them. `body`: where points may stand; nullptr: there is no mesh. Errors: InputError.
  void read(Parameters root, const MeshPoints *body);
  /// Declares all of their entries, of the names that the deck gives: what they mean is known when there is a mesh.
  static void announce(Parameters root);
  /// For the deck reference.
  static void document(Parameters root);

  /// Of the points of Points/Report: present coordinates, velocities, and, if the deck wants them, accelerations.
  std::vector<Column> report_columns(const Units &units) const;
  /// The points of Points/Report.
  const std::vector<int> &reported_points() const { return reported; }
  /// Those of them that are fixed.
  std::vector<int> reported_supports() const;
  /// q, v and a of all points, `dimension` numbers each.
  std::vector<double> report(const double *q, const double *v, const double *a) const;

private:
  struct PointEntries;

  void declare_space(Parameters &p);
  void read_points(Parameters root);
  void read_point(const std::string &name, Parameters p);
  void read_rows(PointEntries &entries, const Parameters &p) const;
  void check_mesh_point(const PointEntries &entries, const Parameters &p) const;
  void check_own_point(const PointEntries &entries, const Parameters &p) const;
  void check_free(const PointEntries &entries, const Parameters &p) const;
  void add_mesh_group(const std::string &name, const PointEntries &entries, const Parameters &p);
  void add_point(const std::string &name, int i, const PointEntries &entries, const Parameters &p);
  void put_on_mesh(LumpedPoint &point, const Parameters &p) const;
  void select_reported(const Parameters &p);

  const MeshPoints *mesh = nullptr;
  bool beside_parts = false;  ///< the deck has some, which may give points their mass
  std::vector<std::string> report_names;
  std::vector<int> reported;
  bool report_accelerations = false;
  std::vector<double> gravity;
};
}  // namespace symdyn
