#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "elements/damping.h"
#include "elements/space/tangent.h"
#include "elements/term.h"

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

/// The cells of a solid: their strain energy, and the part of their damping that is made of stiffness (Damping; alpha_M M is the system's). A matrix
/// leaves out how the damping depends on q: with Damping/Stiffness = current or Kelvin-Voigt Newton's method converges linearly, by a factor of
/// about |Edot| times the weight of q over that of v a step (h |Edot|/2 of the midpoint rule).
template <int dim>
class SolidTerm : public Term
{
public:
  SolidTerm(std::shared_ptr<const Discretisation<dim>> mesh, std::map<unsigned int, MaterialInUse> materials, const Damping &damping);
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
  double energy_scale() const override;
  std::string diagnose(const Vector &q) const override;

  const Discretisation<dim> &mesh() const { return *body; }
  const std::map<unsigned int, MaterialInUse> &materials() const { return in_use; }
  const Material &material(const unsigned int id) const { return *in_use.at(id).law; }
  /// Of stresses, where `material` is per area of a plane body of a thickness.
  const Material &material_per_volume(const unsigned int id) const
  {
    const MaterialInUse &use = in_use.at(id);
    return use.per_volume ? *use.per_volume : *use.law;
  }
  bool any_material(const std::function<bool(const MaterialInUse &)> &condition) const;

private:
  using CellIntegral = std::function<Wide(std::size_t batch, const Wide *u, Wide *f)>;
  /// weight V''(q) of a part, or weight times the viscosity of Kelvin and Voigt at q.
  struct Stiffness
  {
    double weight;
    const Vector *q;
    Part part;
    bool viscous;
  };

  /// f += sum of the cells' forces; returns the smallest of what the integral returns.
  double add_cells(const Vector &q, Part part, Vector &f, const CellIntegral &integral) const;
  bool is_in(Part part, std::size_t batch) const { return part == Part::all || in_use.at(body->batches[batch].material).stiff; }
  bool linear() const;
  /// k V'' + c C of these weights, but for matrices of discrete gradients. `middle`: where the mean of two vectors is kept.
  std::vector<Stiffness> stiffnesses(const At &at, const Weights &weights, Vector &middle) const;
  bool has_discrete_matrix(const At &at) const { return at.previous != nullptr && !linear(); }
  const Vector &undeformed() const;
  const TangentAssembly<dim> &assembly(const BlockPattern &pattern) const;
  void add_discrete_matrix(const At &at, double k, const MatrixSink &sink) const;
  void add_stiffness(const Stiffness &stiffness, const MatrixSink &sink) const;

  std::shared_ptr<const Discretisation<dim>> body;
  std::map<unsigned int, MaterialInUse> in_use;
  Damping damping;

  // Made when first needed: an explicit run has no matrix.
  mutable std::unique_ptr<TangentAssembly<dim>> tangent_assembly;
  mutable Vector zero;
};
}  // namespace symdyn
