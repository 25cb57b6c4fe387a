#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "meshes/surface.h"

namespace symdyn
{
/// The surface of a deck, which its shells divide among themselves (SitePlan::shared). Normals at a node
/// are means over the cells that meet there within the angle of a fold; across a fold each side has its own. Where a file gives normals
/// they stand.
class ShellSurface
{
public:
  /// `fold`: the angle [rad].
  void set(std::shared_ptr<const SurfaceMesh> surface, double fold);
  bool exists() const { return of_deck != nullptr; }
  const SurfaceMesh &mesh() const { return *of_deck; }

  /// Cells of groups; {}: all. They belong to a shell from now on. Errors: InputError for a group that does not exist, a cell that another
  /// shell has.
  std::vector<std::size_t> take(const std::vector<std::string> &groups, const std::string &shell);
  /// Groups of cells that no shell has.
  std::vector<std::string> left() const;
  /// Unit normals of shells at the corners of a cell.
  const std::vector<GramVector> &normals(const std::size_t cell) const { return at_corners[cell]; }
  /// Of a shell at a cell: zeta of its faces along the normal from the surface of the nodes [m].
  struct Faces
  {
    double bottom = 0, top = 0;
  };
  void set_faces(const std::size_t cell, const Faces &faces) { of_cells[cell] = faces; }
  const Faces &faces(const std::size_t cell) const { return of_cells[cell]; }
  /// Whether a shell has this cell.
  bool is_shell(const std::size_t cell) const { return !owner[cell].empty(); }
  /// Cells of the shell of this name, or of shells on the group of this name.
  std::vector<std::size_t> cells_named(const std::string &name) const;
  /// A sentence for the user about two neighbours whose normals point to different sides; "": there are none.
  const std::string &flipped() const { return flip; }

private:
  void find_normals(double fold);
  void find_flips(double fold);

  std::shared_ptr<const SurfaceMesh> of_deck;
  std::vector<std::string> owner;  ///< of each cell; "": none
  std::vector<std::vector<GramVector>> at_corners;
  std::vector<Faces> of_cells;
  std::string flip;
};
}  // namespace symdyn
