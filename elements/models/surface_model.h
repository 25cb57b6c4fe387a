#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/mesh_points.h"
#include "elements/models/joined_surface.h"
#include "elements/shells/surface_load.h"
#include "elements/supports/supports.h"
#include "elements/system/assembled_system.h"
#include "meshes/mesh_file_entries.h"
#include "solver/structure.h"

namespace symdyn
{
/// The mesh of surfaces and lines of a deck, for its shells and beams, with what holds and loads it.
class SurfaceModel
{
public:
  /// Whether the deck has a mesh, and shells or beams on it.
  static bool given(const Parameters &root);
  /// Reads the sections Mesh, Supports, Loads, and meshes. Errors: InputError.
  void declare(Parameters &root);
  /// The same beside a solid: its supports are those of that. The surface is that of the section "Surface mesh", or it is `groups` of the
  /// file of the solid.
  void declare_beside(Parameters &root, const std::vector<std::string> &groups);
  /// Whether a load of a solid's deck is one of the surface: of a type, or with entries, that the surface alone has.
  bool takes(const Parameters &load) const;
  void declare_load(const std::string &name, Parameters section);
  /// Groups of the file of the solid that are shells or beams.
  const std::vector<std::string> &groups_of_solid() const { return of_solid; }
  /// Which nodes are those of the body. Collective. Errors: InputError.
  void join(const Discretisation<3> &body);
  static void document(Parameters &root);

  bool any() const { return mesh != nullptr; }
  const SurfaceMesh &surface() const { return *mesh; }
  /// Its nodes; nullptr: there is no surface.
  const MeshPoints *nodes() const { return of_mesh.get(); }

  void plan(SitePlan &plan) const;
  /// Adds loads and supports to a system. `first`: names of the supports that hold at first; {}: all. Errors: InputError.
  void add_to(AssembledSystem::Parts &system, SitePlan &plan, const std::vector<std::string> &first);
  void add_loads(AssembledSystem::Parts &system, SitePlan &plan) const;
  /// Relations of rotations that supports hold alone. Collective. Errors: InputError for nodes whose rotation a part holds, too.
  void add_rotations(const Supports<3> &supports, AssembledSystem::Parts &system, SitePlan &plan) const;
  /// "traction (pull)"
  std::vector<std::string> loads() const;
  const JoinedSurface &joined() const { return *of_body; }
  /// nullptr: there is no surface.
  Supports<3> *supports() const { return held.get(); }
  /// Errors: InputError for a load that has a name of the forces of points.
  void check_loads(const std::vector<std::string> &forces) const;
  void add_facts(ModelFacts &facts) const;
  /// The box of its nodes, and beside a solid those that are not of the body.
  void add_places(ModelFacts &facts) const;
  /// "4 boundaries: x-, x+, ..."
  std::string description() const;

private:
  void declare_mesh(Parameters p);
  void take(SurfaceMesh made, const std::string &where);
  static SurfaceMesh read_file(const Parameters &p, const MeshFileEntries &entries);
  static SurfaceMesh make_shape(const Parameters &p, const std::string &type, const std::vector<int> &subdivisions);
  void declare_groups(Parameters p, const std::vector<std::string> &groups);
  /// Errors: InputError for nodes whose rotation a part holds, too. Collective.
  void refuse_double_rotations(const Supports<3> &supports, const PlannedSites &sites, SitePlan &plan) const;
  /// Relations of Supports::single_rotations. Collective.
  void add_single_rotations(const Supports<3> &supports, const PlannedSites &sites, SitePlan &plan, AssembledSystem::Parts &system) const;

  struct Load
  {
    std::string name, type, where;
    std::shared_ptr<SurfaceLoad> load;
  };
  std::shared_ptr<const SurfaceMesh> mesh;
  std::unique_ptr<MeshPoints> of_mesh;
  std::shared_ptr<Supports<3>> held;
  std::vector<Load> all_loads;
  std::vector<std::string> of_solid;
  std::optional<JoinedSurface> of_body;
  double fold_angle = 20;  ///< [degrees]
  bool is_alone = true;    ///< neither Beams nor Couplings can join it to a body
  std::string where_mesh;
};
}  // namespace symdyn
