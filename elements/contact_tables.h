#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "elements/place.h"

namespace symdyn
{
struct State;

/// What printed tables have of a point of a contact: of a segment, or of a node with Points = nodes.
struct ContactRow
{
  int face = 0;         ///< of the first boundary, in an order that knows nothing of ranks
  Place middle{};       ///< the mean of the corners of that face; of nodes their own place, undeformed [m]
  Place X{}, x{};       ///< the place of the point, undeformed and as it is [m]
  Place n{};            ///< the outward normal of the second boundary
  double dA = 0;        ///< undeformed [m²]
  double gap = 0;       ///< [m]
  double pressure = 0;  ///< [Pa]
  double energy = 0;    ///< of the pressure [J]
  Place slip{};         ///< the tangential part of u_x - u_y, y the place of the second boundary that x stands before [m]
  Place drag{};         ///< tangential stress on the second boundary: that of friction, or of a layer of Law = tied [Pa]
};

/// Friction of a contact on its first boundary, at a point of its memory.
struct ContactRub
{
  int face = 0;    ///< as of ContactRow
  Place X{}, x{};  ///< [m]
  Place force{};   ///< [N]
  double dA = 0;   ///< [m²]
};

/// The points of a contact that are closer than its law reaches, of all ranks.
struct ContactTable
{
  std::string first;  ///< its boundary, as the mesh calls it
  std::string second;
  bool of_nodes = false;
  std::vector<ContactRow> rows;
  std::vector<ContactRub> rubs;
};

/// Fields of a contact at a place of its surface, as frames have them.
struct SurfaceValue
{
  double gap = 0, pressure = 0;  ///< [m], [Pa]; the gap is at most the size of a face
  Place slip{};                  ///< as of ContactRow; 0 where it is open [m]
};

/// A part of a structure that is a contact, for printed tables and probes.
class ReportsContact
{
public:
  virtual ~ReportsContact() = default;
  /// Its first boundary, for which tables have numbers. Errors: InputError for a contact whose points have several partners.
  virtual const std::string &first_boundary() const = 0;
  /// Whether its points are nodes.
  virtual bool has_nodes() const = 0;
  /// Collective.
  virtual ContactTable table(const State &state) const = 0;
  /// What finds the fields at a place of its undeformed surface: to be called on all ranks, and no longer than this is there. Collective.
  /// Errors: InputError at `where`, for a place beside it.
  virtual std::function<SurfaceValue(const State &)> at_place(const Place &X, const std::string &where) const = 0;
};

/// The contacts of a deck: shared while a structure plans.
struct NamedContacts
{
  std::map<std::string, const ReportsContact *> all;
};
}  // namespace symdyn
