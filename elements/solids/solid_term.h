#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/damping.h"
#include "elements/solids/failing_points.h"
#include "elements/solids/solid_history.h"
#include "elements/space/tangent.h"
#include "elements/term.h"

namespace symdyn
{
/// The cells of a solid: their strain energy, and the part of their damping that is made of stiffness (Damping; alpha_M M is the system's).
/// A matrix leaves out how the damping depends on q: with Damping/Stiffness = current or Kelvin-Voigt Newton's method converges linearly,
/// by a factor of about |Edot| times the weight of q over that of v a step (h |Edot|/2 of the midpoint rule). Stiffness of damping at the
/// undeformed body is that of virgin, elastic laws.
template <int dim>
class SolidTerm : public Term, public FailingPoints
{
public:
  /// `temperature`: as of SolidHistory.
  SolidTerm(std::shared_ptr<const Discretisation<dim>> mesh, std::map<unsigned int, MaterialInUse> materials, const Damping &damping,
            std::shared_ptr<const Temperature<dim>> temperature = nullptr, const Actions &actions = Actions::all());
  ~SolidTerm() override;

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const override;
  void couple(const Couple &join) const override;
  double stiffness_weight(const At &at, const Weights &weights) const override;
  double energy_scale() const override;
  std::string diagnose(const Vector &q) const override;

  std::size_t history_size() const override { return past.history_size(); }
  void begin_history(double *history) const override { past.begin_history(history); }
  void heat(const double t, const double *as, double *history) const override { past.heat(t, as, history); }
  HistoryBlocks history_blocks() const override { return past.history_blocks(); }
  void pack_history(const double *history, std::vector<double> &blocks) const override { past.pack_history(history, blocks); }
  void unpack_history(const std::vector<double> &blocks, double *history) const override { past.unpack_history(blocks, history); }
  const SolidHistory<dim> &layout() const { return past; }
  /// With a history (nullptr: all virgin), in a step of length dt (0: frozen). For reports: laws(SolidHistory<dim>::of(state)).
  StepLaws<dim> laws(const double *from, const double dt = 0., double *to = nullptr, const Oscillation *oscillation = nullptr) const
  {
    return {in_use, past, from, dt, to, oscillation};
  }

  const Discretisation<dim> &mesh() const { return *body; }
  const std::map<unsigned int, MaterialInUse> &materials() const { return in_use; }
  bool any_material(const std::function<bool(const MaterialInUse &)> &condition) const;

private:
  const Material &material(const unsigned int id) const { return *in_use.at(id).law; }
  Spent spent(const double *history) const override { return past.spent(history); }
  std::optional<FailedPoint> failed_point(const At &at) const override;
  std::vector<RelaxingLaw> relaxing() const override { return past.relaxing(); }
  FlowPlace place_of_flow(const double *history) const override { return past.place_of_flow(history); }
  using CellIntegral = std::function<Wide(const CellRegion<dim> &region, std::size_t batch, const Wide *u, Wide *f)>;
  /// weight V''(q) of a part, or weight times the viscosity of Kelvin and Voigt at q.
  struct Stiffness
  {
    double weight;
    const Vector *q;
    Part part;
    bool viscous;
    const double *from;
    double dt;
    const Oscillation *oscillation = nullptr;
  };

  /// f += sum of the cells' forces; returns the smallest of what the integral returns.
  double add_cells(const Vector &q, Part part, Vector &f, const CellIntegral &integral) const;
  /// The integral over the cells of other ranks, for what it does besides forces.
  void visit_ghosts(const Vector &q, const CellIntegral &integral) const;
  bool is_in(const Part part, const CellRegion<dim> &region, const std::size_t batch) const
  {
    return part == Part::all || in_use.at(region.batches[batch].material).stiff;
  }
  bool linear() const;
  /// k V'' + c C of these weights, but for matrices of discrete gradients. `middle`: where the mean of two vectors is kept.
  std::vector<Stiffness> stiffnesses(const At &at, const Weights &weights, Vector &middle) const;
  bool has_discrete_matrix(const At &at) const { return at.previous != nullptr && !linear(); }
  const Vector &undeformed() const;
  const TangentAssembly<dim> &assembly(const BlockPattern &pattern) const;
  void add_product(const Stiffness &stiffness, const CellRegion<dim> &region, const Vector &x, Vector &y) const;
  void add_diagonal(const Stiffness &stiffness, const CellRegion<dim> &region, const BlockMatrix &D) const;
  std::string diagnose(const CellRegion<dim> &region, std::size_t batch, int lane, double det) const;
  FailedPoint describe(const CellRegion<dim> &region, std::size_t batch, int q, int lane, const Symmetric<double> &C, const At &at) const;
  void add_discrete_matrix(const At &at, double k, const MatrixSink &sink) const;
  void add_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const;
  void add_unsymmetric_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const;

  std::shared_ptr<const Discretisation<dim>> body;
  std::map<unsigned int, MaterialInUse> in_use;
  Damping damping;
  SolidHistory<dim> past;

  // Made when first needed: an explicit run has no matrix.
  mutable std::unique_ptr<TangentAssembly<dim>> tangent_assembly;
  mutable Vector zero;
};
}  // namespace symdyn
