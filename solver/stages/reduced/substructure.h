#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/stage.h"
#include "solver/testdata/array_files.h"
#include "solver/vibration/substructures/reduction.h"

namespace symdyn
{
/// A reduced model of the structure about a state at rest, by Craig and Bampton, as files for other programs: see Substructure.
class SubstructureStage : public Stage
{
public:
  std::string meaning() const override { return "a reduced model of the structure (Craig-Bampton, Guyan), as files"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  /// Errors: InputError for names that there are not, or components that their nodes do not have. Collective.
  void find_masters(const Analysis &analysis);
  /// What of a node is kept: "x", "y", "z", "rotations", or "": all that it has. Returns its number among those of the request.
  std::size_t add_node(const std::string &label, const StructureNode &node, const std::string &component);
  void add_master(const std::string &label, std::size_t node, bool turns, const std::array<double, 3> &axis);
  void add_rotations(const std::string &label, std::size_t node);
  void find_loads(const Analysis &analysis);
  /// How far the rigid masses of a free body are from those of the reduced model, and K_r from having none of its rigid motions.
  void compare_rigid_motions(Analysis &analysis, const Substructure &reduced) const;
  void report(Analysis &analysis, const Substructure &reduced) const;

  // Files (substructure_files.cc).
  std::string coordinates_csv(const Analysis &analysis, const Substructure &reduced) const;
  std::string matrix_csv(const ReducedMatrix &A) const;
  std::string loads_csv(const Analysis &analysis, const Substructure &reduced) const;
  /// The stiffness as CalculiX writes it behind *SUBSTRUCTURE GENERATE. Errors: InputError for rotations, and for modes.
  std::string mtx(const Substructure &reduced) const;
  /// Matrices and loads in cards of NASTRAN, with 10 digits. Errors: InputError for rotations about other axes than x, y, z.
  std::string dmig(const Substructure &reduced) const;
  std::vector<NamedArray> arrays(const Units &units, const Substructure &reduced) const;
  /// Cells as they are drawn, and T at their points. Errors: InputError where nothing is drawn.
  std::vector<NamedArray> inside_arrays(const Analysis &analysis, const Substructure &reduced) const;
  void write(Analysis &analysis, const Substructure &reduced) const;

  std::vector<std::string> names, formats{"npz"};
  std::string file_name;
  bool inside = false;  ///< the file has the motion of the inside
  SubstructureRequest request;
  std::vector<long> numbers;             ///< of the nodes, in the mesh's file where Masters names them so, else other ones
  std::vector<std::string> coordinates;  ///< labels of masters, then of modes
  std::vector<std::string> load_names;
};
}  // namespace symdyn
