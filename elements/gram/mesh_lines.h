#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "meshes/surface.h"

namespace symdyn
{
/// The lines of the mesh of a deck, which its beams divide among themselves (SitePlan::shared).
class MeshLines
{
public:
  /// `fold`: up to this angle lines that meet are smooth [rad].
  void set(std::shared_ptr<const SurfaceMesh> mesh, double fold);
  bool exists() const { return of_deck != nullptr; }
  const SurfaceMesh &mesh() const { return *of_deck; }

  /// Lines of groups. They belong to a beam from now on. Errors: InputError for a group that does not exist or has no line, for a line
  /// that another beam has.
  std::vector<std::size_t> take(const std::vector<std::string> &groups, const std::string &beam);
  /// Unit tangents of lines at their nodes (both ends, middle), from the first end to the second. Where two of them meet at an angle below
  /// that of a fold, both have the mean of theirs.
  std::vector<std::vector<GramVector>> tangents(const std::vector<std::size_t> &lines) const;
  /// A sentence for the user about a line that no beam has, and that is on no cell either; "": there is none.
  std::string loose() const;

private:
  std::shared_ptr<const SurfaceMesh> of_deck;
  std::vector<std::string> owner;  ///< of each line; "": none
  double fold = 0;
};
}  // namespace symdyn
