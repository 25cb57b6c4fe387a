#include "elements/load.h"
#include "elements/loads/cell_load.h"
#include "elements/space/cell_values.h"
#include "elements/space/named_cells.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
/// ∫ rho N_a b dX over all cells [N], for a field b(X, t) per mass [m/s²].
template <int dim>
class MassForce : public DeadLoad<dim>, public CellLoad<dim>
{
public:
  void prepare(const Discretisation<dim> &discretisation, const std::function<double(unsigned int)> &rho) override
  {
    mesh = &discretisation;
    density = rho;
    try
    {
      acts = sets.empty() ? std::vector<bool>() : cells_of(*mesh, sets);
    }
    catch (const InputError &error)
    {
      throw InputError(where + ": " + error.what());
    }
    this->remember(*mesh);
  }
  dealii::Tensor<1, dim> per_volume(const typename CellLoad<dim>::Cell &cell, const dealii::Point<dim> &X, const Moment &now) const override
  {
    const bool here = acts.empty() || acts[cell->active_cell_index()];
    return (here ? density(cell->material_id()) * this->field.amplitude(now) : 0.) * this->field.at(X, now.t);
  }
  dealii::Tensor<1, dim> per_mass(const dealii::Point<dim> &X, const double t) const override { return this->field.at(X, t); }

protected:
  bool whole_body() const { return sets.empty(); }
  void declare_cells(Parameters &p)
  {
    p.add("Elements", sets,
          "of a mesh from an .inp file: sets of elements of its *DLOAD or *EL PRINT that it acts on; default: the whole body");
    where = p.where("Elements");
  }
  void integrate(const double t, Vector &f) const override
  {
    CellValues<dim> of_cells(
        *mesh, [](const CellRegion<dim> &region) { return region.family.load_points; },
        dealii::update_values | dealii::update_quadrature_points | dealii::update_JxW_values);
    for (const auto &cell : mesh->handler.active_cell_iterators())
      if (cell->is_locally_owned() && (acts.empty() || acts[cell->active_cell_index()]))
      {
        const dealii::FEValues<dim> &values = of_cells.at(cell);
        const auto nodes = mesh->cell_nodes(cell);
        for (const unsigned int q : values.quadrature_point_indices())
        {
          const auto force = density(cell->material_id()) * values.JxW(q) * this->field.at(values.quadrature_point(q), t);
          for (unsigned int a = 0; a < nodes.size(); ++a)
            for (int d = 0; d < dim; ++d)
              f.local_element(dim * nodes[a] + d) += values.shape_value(a, q) * force[d];
        }
      }
  }

private:
  const Discretisation<dim> *mesh = nullptr;
  std::function<double(unsigned int)> density;
  std::vector<std::string> sets;
  std::string where;
  std::vector<bool> acts;  ///< by active cell index; empty: all
};

/// A force on every particle, proportional to its mass.
template <int dim>
class BodyForce : public MassForce<dim>
{
public:
  void declare(Parameters &p) override
  {
    this->declare_cells(p);
    this->field.declare(p, "Acceleration", "force per mass, components [m/s^2], expressions of x, y, z, t");
  }
};

/// Uniform, constant gravity g [m/s²]: a potential, V = -∫ rho g·u dX, so its energy is in E_potential and not in
/// W_external.
template <int dim>
class Gravity : public MassForce<dim>
{
public:
  void declare(Parameters &p) override
  {
    this->declare_cells(p);
    this->field.declare(p, "Acceleration", "components [m/s^2], constant");
    const dealii::Point<dim> origin, elsewhere(dealii::Point<dim>() + dealii::Tensor<1, dim>(ones()));
    if (!this->field.steady() || !this->field.amplitude.constant() || this->field.at(origin, 0.) != this->field.at(elsewhere, 0.))
      p.fail("Acceleration", "gravity is uniform and constant (it has a potential). Use Type = body-force for a field of x, y, z, t");
  }
  bool is_potential() const override { return true; }
  std::array<double, 3> acceleration() const override
  {
    std::array<double, 3> g{};
    for (int d = 0; d < dim && this->whole_body(); ++d)
      g[d] = this->field.amplitude(Moment(0.)) * this->field.at(dealii::Point<dim>(), 0.)[d];
    return g;
  }

private:
  static dealii::Tensor<1, dim> ones()
  {
    dealii::Tensor<1, dim> e;
    for (int d = 0; d < dim; ++d)
      e[d] = 1. + d;
    return e;
  }
};

SYMDYN_REGISTER_LOAD(BodyForce, "body-force");
SYMDYN_REGISTER_LOAD(Gravity, "gravity");
}  // namespace symdyn
