#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/damping.h"
#include "elements/load.h"
#include "elements/loads/base_motion.h"
#include "elements/loads/load_factors.h"
#include "elements/space/mass.h"
#include "elements/space/tangent.h"
#include "elements/supports/supports.h"
#include "elements/system/nodal_system.h"
#include "solver/deck/formula/table_driven.h"
#include "solver/linear_solver.h"

namespace symdyn
{
/// What fills the cells of one material id.
struct MaterialInUse
{
  std::string name;
  std::shared_ptr<const Material> law;
  double density = 0;                                    ///< [kg/m³]
  bool stiff = false;                                    ///< of Part::stiff
  double thickness = 1;                                  ///< of a plane body [m]; law and density hold it as a factor
  std::shared_ptr<const Material> per_volume = nullptr;  ///< the law without it, for stresses; nullptr: it is `law`
};

template <int dim>
struct LoadInUse
{
  std::string name, where;
  std::shared_ptr<Load<dim>> load;
};

/// A solid body on a mesh: dim displacement components a node.
template <int dim>
class FiniteElementSystem : public NodalSystem, public TableDriven
{
public:
  struct Parts
  {
    std::shared_ptr<const Discretisation<dim>> mesh;
    std::map<unsigned int, MaterialInUse> materials;  ///< by material id
    std::shared_ptr<Supports<dim>> supports;
    std::vector<LoadInUse<dim>> loads;
    MassType mass_type = MassType::consistent;
    Damping damping;
    std::shared_ptr<const BaseMotion> base;  ///< nullptr: rests
    std::shared_ptr<LinearSolver> linear_solver;
    double linear_tolerance = 1e-10;
  };
  /// Errors: InputError of supports and loads with their place in the deck.
  explicit FiniteElementSystem(Parts parts);
  ~FiniteElementSystem() override;

  Vector new_vector() const override { return mesh().new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { mass_matrix->multiply(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &q) const override;
  void internal_force(const Vector &q, Vector &f) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const override;
  void discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  double dissipation(const Vector &q, const Vector &v) const override;
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override;
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;
  void add_load_stiffness(double t, const Vector &q, const Vector &u, Vector &Ku) const override;
  void load_force(std::size_t number, double t, const Vector &q, Vector &f) const override;
  std::vector<std::string> weights() const override;
  std::vector<LoadJump> load_jumps(double h) const override;
  void set_step_interval(double t0, double t1, double h) override;
  std::vector<DrivingTable> driving_tables() const override;
  void average_tables(const StepMean &mean) override;
  const StepMean &sampling() const { return mean_of_tables; }
  using MechanicalSystem::factor;
  /// Any number of terms. A term with `from` has its damping at ½ (from + q), as midpoint-like schemes have it. The
  /// dependence of the damping on q is left out: with Damping/Stiffness = current or Kelvin-Voigt Newton's method converges
  /// linearly, by a factor of about |Edot| times the weight of q over that of v a step (h |Edot|/2 of the midpoint rule).
  /// No matrix is made where m M + c C is diagonal and k = 0. A matrix is factored when it is first solved with: products
  /// need none.
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  double rounding(const Vector &q) const override;
  double potential_rounding() const override;
  double highest_frequency(double t, const Vector &q, bool lumped = false) const override;
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override { supports().project(r); }
  void project_prescribed(Vector &r) const override { supports().project_prescribed(r); }
  std::vector<std::string> momenta() const override;
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  std::vector<std::uint64_t> identities() const override;
  bool has(Feature feature) const override;
  bool admissible() const override;
  std::string diagnose(const Vector &q) const override;
  std::vector<std::string> load_names() const override;
  void begin_loads(const std::vector<bool> &act) override { load_factors.begin(act); }
  void set_statics(bool now) override { statics = now; }
  void set_load_factor(double factor) override { load_factors.set(factor); }
  /// As Structure has them.
  void begin_supports(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q);
  void fade(const Vector &f) { fading = f; }
  int components() const override { return dim; }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return mesh().node_partitioner; }
  const LinearOperator &linear_operator(const Linearisation &terms) const override;
  double cost_of_matrix() const override;

  /// ∂V_strain/∂q without gravity, for the reports of supports [N].
  void strain_force(const Vector &q, Vector &f) const;
  const Discretisation<dim> &mesh() const { return *parts.mesh; }
  const Supports<dim> &supports() const { return *parts.supports; }
  const MassMatrix<dim> &mass_matrix_of_nodes() const { return *mass_matrix; }
  const Material &material(unsigned int id) const { return *parts.materials.at(id).law; }
  /// Of stresses, where `material` is per area of a plane body of a thickness.
  const Material &material_per_volume(unsigned int id) const
  {
    const MaterialInUse &use = parts.materials.at(id);
    return use.per_volume ? *use.per_volume : *use.law;
  }
  /// How strongly a load acts now: the factor of its stage.
  double load_strength(std::size_t number) const { return load_factors[number]; }
  const LinearSolver &linear_solver() const { return *parts.linear_solver; }
  const Parts &all_parts() const { return parts; }

private:
  class Operator;
  class Solve;
  class DiagonalSolve;
  using CellIntegral = std::function<Wide(std::size_t batch, const Wide *u, Wide *f)>;

  const BlockPattern &pattern() const;
  std::vector<Vector> rigid_modes() const;
  /// f = sum of the cells' forces; returns the smallest of what the integral returns, over this rank.
  double sum_cells(const Vector &q, Vector &f, const CellIntegral &integral, Part part = Part::all) const;
  bool linear() const;
  bool any_material(const std::function<bool(const MaterialInUse &)> &condition) const;
  bool is_in(Part part, std::size_t batch) const { return part == Part::all || parts.materials.at(mesh().batches[batch].material).stiff; }

  std::shared_ptr<const LinearSolve> diagonal_solve(const Linearisation &terms) const;
  /// The terms, summed into one if they share their matrices.
  Linearisation combined(const Linearisation &terms) const;
  /// The derivative of a discrete gradient of a quadratic V is half of V''.
  double stiffness_weight(double k, bool discrete) const { return discrete && linear() ? 0.5 * k : k; }
  void set_up_solver() const;
  void prepare_base();
  typename MassMatrix<dim>::ModeMass mode_mass() const;
  bool base_carries() const { return parts.base && !parts.base->relative(); }

  Parts parts;
  std::unique_ptr<MassMatrix<dim>> mass_matrix;
  Vector gravity;  ///< ∫ rho N g [N]
  bool has_gravity = false;
  LoadFactors load_factors;
  StepMean mean_of_tables;
  Vector fading;                                 ///< of supports that are taken away in this stage [N]; empty: of none
  bool statics = false;                          ///< the present stage
  std::vector<Vector> base_patterns, base_held;  ///< of each direction: see BaseMotion

  mutable double smallest_det_F = 1;  ///< on this rank, in the last internal_force()

  // Made when first needed: an explicit run has no matrix.
  mutable std::unique_ptr<BlockPattern> block_pattern;
  mutable std::unique_ptr<Operator> linearised;
  mutable std::unique_ptr<Weights> weights_of_solver;  ///< of the last factor(), if K does not depend on q
  mutable std::uint64_t linearisations = 0;
  mutable bool solver_is_set_up = false;  ///< with the operator as it is
};
}  // namespace symdyn
