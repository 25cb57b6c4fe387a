#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/load.h"
#include "elements/space/cell_values.h"
#include "python/module/arrays.h"
#include "python/module/functions.h"
#include "solver/parameters.h"

// Loads whose density a Python function of t, X, u, v computes.
namespace symdyn::python
{
std::map<std::string, py::object> &functions()
{
  static auto *all = new std::map<std::string, py::object>;  // outlives the interpreter
  return *all;
}

namespace
{
/// The points at which a function is asked: of each its place, and the nodes with the values of their shape functions.
template <int dim>
struct LoadPoints
{
  std::vector<double> X, weight;      ///< [m]; dA [m²], or rho dX [kg]
  std::vector<std::size_t> first{0};  ///< of each point, in the next two
  std::vector<unsigned int> nodes;    ///< local
  std::vector<double> shape;

  std::size_t size() const { return weight.size(); }
  void add(const dealii::Point<dim> &x, const double w)
  {
    for (int d = 0; d < dim; ++d)
      X.push_back(x[d]);
    weight.push_back(w);
    first.push_back(nodes.size());
  }
  /// The field at the points, a row each.
  Array at_points(const Vector &field) const
  {
    Array values({py::ssize_t(size()), py::ssize_t(dim)});
    double *out = values.mutable_data();
    std::fill(out, out + size() * dim, 0.);
    for (std::size_t k = 0; k < size(); ++k)
      for (std::size_t i = first[k]; i < first[k + 1]; ++i)
        for (int d = 0; d < dim; ++d)
          out[dim * k + d] += shape[i] * field.local_element(dim * nodes[i] + d);
    return values;
  }
};

template <int dim>
class PythonLoad : public Load<dim>
{
public:
  ~PythonLoad() override
  {
    const py::gil_scoped_acquire gil;
    function = py::object();
  }
  /// Of a body at rest.
  void add_force(const Moment &now, const Vector &q, const double factor, Vector &f) const override
  {
    Vector v;
    v.reinit(q);
    add_force_in_motion(now, q, v, factor, f);
  }
  void add_force_in_motion(const Moment &now, const Vector &q, const Vector &v, const double factor, Vector &f) const override
  {
    v.update_ghost_values();
    const std::string what = fmt::format("load '{}' at t = {:.6g}", name, now.t);
    std::vector<double> values;
    call_python(what, [&] {
      if (points.size() == 0)
        return;
      const Array X({py::ssize_t(points.size()), py::ssize_t(dim)}, points.X.data());
      read_rows(function(now.t, X, points.at_points(q), points.at_points(v)), points.size(), dim, what + ": what it returns", values);
    });
    for (std::size_t k = 0; k < points.size(); ++k)
      for (std::size_t i = points.first[k]; i < points.first[k + 1]; ++i)
        for (int d = 0; d < dim; ++d)
          f.local_element(dim * points.nodes[i] + d) += factor * points.weight[k] * points.shape[i] * values[dim * k + d];
  }

protected:
  void declare_function(Parameters &p)
  {
    p.add("Function", name, "the name of the Python function");
    const py::gil_scoped_acquire gil;
    const auto found = functions().find(name);
    if (found == functions().end())
      p.fail("Function", "there is no Python function with this name: hand it over as an element of loads");
    function = found->second;
  }
  LoadPoints<dim> points;

private:
  std::string name;
  py::object function;
};

/// Force per reference area [Pa] on boundaries.
template <int dim>
class PythonTraction : public PythonLoad<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Boundary", boundaries, "names of boundaries of the mesh");
    this->declare_function(p);
    if (boundaries.empty())
      p.fail("Boundary", "a surface load needs the name of a boundary");
  }
  void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &) override
  {
    for (const auto &face : SurfaceIntegral<dim>(mesh, boundaries).faces)
      for (std::size_t q = 0; q < face.dA.size(); ++q)
      {
        this->points.nodes.insert(this->points.nodes.end(), face.nodes.begin(), face.nodes.end());
        const auto shape = face.shape.begin() + q * face.nodes.size();
        this->points.shape.insert(this->points.shape.end(), shape, shape + face.nodes.size());
        this->points.add(face.point[q], face.dA[q]);
      }
  }

private:
  std::vector<std::string> boundaries;
};

/// Force per mass [m/s²] in the whole body.
template <int dim>
class PythonBodyForce : public PythonLoad<dim>
{
public:
  void declare(Parameters &p) override { this->declare_function(p); }
  void prepare(const Discretisation<dim> &mesh, const std::function<double(unsigned int)> &density) override
  {
    CellValues<dim> of_cells(
        mesh, [](const CellRegion<dim> &region) { return region.family.load_points; },
        dealii::update_values | dealii::update_quadrature_points | dealii::update_JxW_values);
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (cell->is_locally_owned())
      {
        const dealii::FEValues<dim> &values = of_cells.at(cell);
        const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
        for (const unsigned int q : values.quadrature_point_indices())
        {
          for (unsigned int a = 0; a < nodes.size(); ++a)
          {
            this->points.nodes.push_back(nodes[a]);
            this->points.shape.push_back(values.shape_value(a, q));
          }
          this->points.add(values.quadrature_point(q), density(cell->material_id()) * values.JxW(q));
        }
      }
  }
};

SYMDYN_REGISTER_LOAD(PythonTraction, "python-traction");
SYMDYN_REGISTER_LOAD(PythonBodyForce, "python-body-force");
}  // namespace
}  // namespace symdyn::python
