#pragma once
#include "elements/applied_load.h"
#include "elements/space/discretisation.h"
#include "solver/registry.h"

namespace symdyn
{
class Parameters;

/// A load on a mesh. One file a load, registered for 2-D and 3-D: Registry<Load<2>>, Registry<Load<3>>.
template <int dim>
class Load : public AppliedLoad
{
public:
  virtual void declare(Parameters &p) = 0;
  /// Errors: InputError for what the mesh does not have. `density` of a material id [kg/m³].
  virtual void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &density) = 0;
};

/// Nodal values of ∫ N_a t dA over boundaries, for a field t(x, t) at the quadrature points.
template <int dim>
class SurfaceIntegral
{
public:
  struct Face
  {
    std::vector<unsigned int> nodes;               ///< of the cell, local
    std::vector<dealii::Point<dim>> point;         ///< [m], per quadrature point
    std::vector<dealii::Tensor<1, dim>> normal;    ///< outward, reference
    std::vector<double> dA;                        ///< [m²]
    std::vector<double> shape;                     ///< [q][a]
    std::vector<dealii::Tensor<1, dim>> gradient;  ///< [q][a], with respect to X
  };
  SurfaceIntegral() = default;
  /// One face, with the points of this rule.
  static Face at_points(const Discretisation<dim> &mesh, const typename Discretisation<dim>::BoundaryFace &face,
                        const dealii::Quadrature<dim - 1> &rule);
  SurfaceIntegral(const Discretisation<dim> &mesh, const std::vector<std::string> &boundaries, bool with_ghosts = false);
  double area() const;  ///< of all ranks [m²]

  std::vector<Face> faces;
  MPI_Comm communicator = MPI_COMM_WORLD;
};

/// A vector field [unit of the load] times an amplitude, as a deck gives it: `<name> = expr, expr, expr`.
template <int dim>
class LoadField
{
public:
  void declare(Parameters &p, const std::string &name, const std::string &help);
  dealii::Tensor<1, dim> at(const dealii::Point<dim> &x, double t) const;
  bool steady() const;  ///< the field without its amplitude
  Amplitude amplitude;

private:
  std::vector<Expression> components;
};

/// Remembers the nodal vector of a field that does not depend on t, so that a step costs one scaled addition.
template <int dim>
class DeadLoad : public Load<dim>
{
public:
  void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const override;
  const Amplitude *in_time() const override { return &field.amplitude; }

protected:
  /// f += load with amplitude 1.
  virtual void integrate(double t, Vector &f) const = 0;
  void remember(const Discretisation<dim> &mesh);
  LoadField<dim> field;

private:
  Vector steady;
};

#define SYMDYN_REGISTER_LOAD(Class, name)   \
  SYMDYN_REGISTER(Load<2>, Class<2>, name); \
  SYMDYN_REGISTER(Load<3>, Class<3>, name)
}  // namespace symdyn
