#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/load.h"
#include "elements/loads/base_motion.h"
#include "elements/loads/turning_frame.h"
#include "elements/solids/solid_term.h"
#include "elements/space.h"
#include "elements/space/mass.h"
#include "elements/supports/supports.h"
#include "solver/linear_solver.h"

namespace symdyn
{
/// A solid body on a mesh, dim displacement components a node: what it adds to a system, and what reports of its cells use.
template <int dim>
class SolidBody
{
public:
  struct Parts
  {
    std::shared_ptr<Discretisation<dim>> mesh;
    std::map<unsigned int, MaterialInUse> materials;  ///< by material id
    std::shared_ptr<Supports<dim>> supports;
    std::shared_ptr<const SupportedNodes<dim>> held{};  ///< what they can hold; nullptr: nodes of the mesh
    std::vector<LoadInUse> loads;                       ///< Load<dim>, all of them
    MassType mass_type = MassType::consistent;
    Damping damping;
    std::shared_ptr<const BaseMotion> base;        ///< nullptr: rests
    std::shared_ptr<const TurningFrame> rotation;  ///< of the frame; nullptr: none
    std::shared_ptr<LinearSolver> linear_solver;
    double linear_tolerance = 1e-10;
    const Actions *actions = &Actions::all();
    std::shared_ptr<const Temperature<dim>> temperature = nullptr;  ///< of heated laws
  };
  /// Errors: InputError of supports and loads with their place in the deck.
  explicit SolidBody(Parts parts);

  const Parts &all_parts() const { return parts; }
  const Actions &actions() const { return *parts.actions; }
  const Discretisation<dim> &mesh() const { return *parts.mesh; }
  const Supports<dim> &supports() const { return *parts.supports; }
  Supports<dim> &changing_supports() { return *parts.supports; }
  const MassMatrix<dim> &mass_matrix_of_nodes() const { return *mass_matrix; }
  const Material &material(const unsigned int id) const { return *term->materials().at(id).law; }
  /// Of stresses, where `material` is per area of a plane body of a thickness.
  const Material &material_per_volume(const unsigned int id) const { return term->materials().at(id).of_stresses(); }
  const LinearSolver &linear_solver() const { return *parts.linear_solver; }
  Vector new_vector() const { return mesh().new_vector(); }
  bool linear() const { return term->traits().linear; }

  /// ∂V/∂q of the cells in a state, without gravity [N].
  void strain_force(const State &state, Vector &f) const;
  /// V''(q) u of the cells about a state [N].
  void strain_stiffness(const State &about, const Vector &u, Vector &Ku) const;
  /// Gravity, as forces of nodes [N]; empty: there is none.
  Vector gravity() const;

  std::shared_ptr<SolidTerm<dim>> cells() const { return term; }
  std::shared_ptr<const MassMatrix<dim>> mass() const { return mass_matrix; }
  /// Of the cells; nullptr: it is not needed yet.
  std::shared_ptr<const BlockPattern> pattern() const { return block_pattern; }

private:
  typename MassMatrix<dim>::ModeMass mode_mass() const;

  Parts parts;
  std::shared_ptr<SolidTerm<dim>> term;
  std::shared_ptr<const BlockPattern> block_pattern;
  std::shared_ptr<const MassMatrix<dim>> mass_matrix;
};
}  // namespace symdyn
