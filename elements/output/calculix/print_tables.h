#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/cells/point_stress.h"
#include "elements/contact_tables.h"
#include "elements/output/calculix/print_schedule.h"
#include "elements/solids/solid_body.h"
#include "elements/space/named_nodes.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Tables of nodes and of points of integration as CalculiX writes them into its .dat file, for comparisons and for scripts that read it.
///
///     displacements, velocities    of the nodes of a set that the mesh's file names
///     temperatures                 of these nodes, where they are of cells, beams and shells that are heated: those that the stage has
///     reached
///     forces                       on these nodes: f_int, of the strain alone [N], neither inertia nor damping: as CalculiX 2.20 prints RF
///     in static and dynamic steps. Pinned by
///                                  Prints.ForcesAreThoseOfCalculix
///     stresses, strains, energy    at the points of integration of the file's elements, of the solution of this mesh
///     CDIS, CSTR, CELS, ...        of contacts: at their points, by element and face of the first boundary or by node; tangential
///     components along the part of x in the surface of the second boundary and across it. Pinned by ContactPrints.*
///     ELSE, ELKE, EVOL             of whole elements: strain energy and kinetic energy [J] (their sums over the body are those of the
///     run), volume before the deformation [m³]
///     SOF, SOM, SOAREA             of surfaces: F = ∫ sigma n dA [N], M = ∫ x × sigma n dA [N m] about the origin and about the centre,
///     area [m²]; sigma averaged at nodes over the cells of one material, where CalculiX takes all, n outward of the cells that the surface
///     names; x = X and dA of the undeformed body where the law is one of small displacements. Pinned by SectionPrint.*
template <int dim>
class PrintTables : public PrintSchedule
{
public:
  /// Of points beside the body: u, v and the force on it (3 dim numbers), by name; how couplings turn; and what is joined to nodes of the
  /// body adds to the forces on them (empty: nothing).
  struct PointMotion
  {
    std::map<std::string, std::vector<double>> by_name;
    Vector on_nodes;
    PrintTable::Rotations rotations;
    std::map<std::string, double> temperatures;  ///< of points that are nodes of heated beams and shells, by name
    std::map<std::string, const ReportsContact *> contacts;
  };
  void declare(const Parameters &p);
  /// Errors: InputError for contacts that are not among these.
  void check_contacts(const std::map<std::string, const ReportsContact *> &contacts, const Discretisation<dim> &mesh) const;
  static void document(const Parameters &p) { document_tables(p, dim); }
  /// The text of the tables that are due. `state`: of the body. Collective. Errors: InputError for sets that the mesh does not have.
  std::string print(const SolidBody<dim> &system, const State &state, const OutputTime &moment, const PointMotion &points);
  /// The same for a displacement about a state, with forces K u. Errors: InputError for velocities, and for stresses where the law is not
  /// linear.
  std::string print(const SolidBody<dim> &system, const State &about, const PrintedField &field, const OutputTime &moment,
                    const PointMotion &points);

private:
  struct Cell
  {
    typename Discretisation<dim>::Cell cell;
    std::vector<dealii::Point<dim>> points;  ///< of the cell of the mesh
  };
  using Rows = std::vector<std::vector<double>>;

  void look_at(const SolidBody<dim> &system, const State &state, const State *about);
  std::string written(const PrintTable &table, double time);
  std::string of_nodes(const PrintTable &table, const std::string &quantity, double time);
  /// NT. Errors: InputError where nothing is heated.
  std::string of_temperatures(const PrintTable &table, double time) const;
  PrintTable::Rows temperatures_of_cells(const PrintTable &table) const;
  std::string of_cells(const PrintTable &table, const std::string &quantity, double time);
  /// SOF, SOM and SOAREA, one table for all (print_surfaces.cc). Collective.
  std::string of_surface(const PrintTable &table, double time) const;
  /// Energies and volumes of whole elements (print_energies.cc).
  std::string of_whole_cells(const PrintTable &table, const std::string &quantity, double time) const;
  /// Contacts (print_contacts.cc).
  std::string of_contacts(const PrintTable &table, const std::string &quantity, double time) const;
  const ContactTable &contact_table(const std::string &name) const;
  /// How the file numbers a point: its element and the face of that, or its node and 0; and the nodes of these (FileNodes::nodes).
  struct ContactNumber
  {
    long number = 0;
    int face = 0;
    std::vector<unsigned int> nodes;
  };
  struct NumberedRow
  {
    long number;
    int face;
    ContactRow row;
  };
  /// Ascending, one a node or segment. Errors: InputError for faces that the file does not number.
  std::vector<NumberedRow> numbered(const PrintTable &table, const ContactTable &contact) const;
  ContactNumber number_of(const ContactTable &contact, const Place &middle) const;
  /// Numbers of the nodes of a set, ascending, and their values; zeros of those that no cell has.
  std::map<long, std::vector<double>> at_nodes(const std::string &set, const Vector &field) const;
  void add_points(const PrintTable &table, const std::string &quantity, PrintTable::Rows &rows) const;
  /// The rows along the table's axes.
  PrintTable::Rows turned(const PrintTable &table, PrintTable::Rows rows) const;
  Rows gathered(const std::vector<typename NamedNodes<dim>::Node> &nodes, const Vector &field) const;
  Vector forces() const;
  std::vector<PointStress> at_points(const FileCell<dim> &cell) const;
  const Cell &locate(const FileCell<dim> &cell) const;
  Cell search(const FileCell<dim> &cell) const;

  const SolidBody<dim> *system = nullptr;
  const State *state = nullptr;
  const PointMotion *of_points = nullptr;
  mutable std::map<std::string, ContactTable> of_contact;                              ///< of the state
  mutable std::map<std::pair<std::string, Place>, ContactNumber> numbers_of_contacts;  ///< by their first boundary and ContactRow::middle
  const State *about = nullptr;                                                        ///< where the state is a field about another one
  std::unique_ptr<NamedNodes<dim>> names;
  mutable std::map<const FileCell<dim> *, Cell> located;
};
}  // namespace symdyn
