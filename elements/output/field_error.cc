#include "elements/output/field_error.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>

#include "elements/output/body_points.h"
#include "solver/deck/formula/expression_series.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Value and gradient of a formula.
template <int dim>
Series<0, dim> value_at(const Expression &formula, const dealii::Point<dim> &X, const double t)
{
  Series<0, dim> variables[4] = {0., 0., 0., t};
  for (int d = 0; d < dim; ++d)
  {
    variables[d] = X[d];
    variables[d].e[0][d] = 1.;
  }
  return formula(variables);
}
}  // namespace

template <int dim>
void FieldError<dim>::add_entries(Parameters &p, std::vector<Expression> &displacement, std::vector<Expression> &velocity)
{
  p.add("Displacement", displacement,
        "exact solution, components [m], expressions of x, y, z, t: columns NAME.L2 and NAME.H1, the norms of the error over the body");
  p.add("Velocity", velocity, "the same of velocities [m/s]: columns NAME.v_L2 and NAME.v_H1");
}

template <int dim>
void FieldError<dim>::declare(const std::string &name, Parameters &p)
{
  own_name = name;
  add_entries(p, displacement, velocity);
  if (displacement.empty() && velocity.empty())
    p.fail("Displacement", "needs the exact solution; or give Velocity");
  for (const auto &[entry, field] : {std::pair{"Displacement", &displacement}, {"Velocity", &velocity}})
    if (!field->empty() && field->size() != dim)
      p.fail(entry, fmt::format("needs {} components separated by commas; here are {}", dim, field->size()));
}

template <int dim>
void FieldError<dim>::document(Parameters p)
{
  std::vector<Expression> displacement, velocity;
  add_entries(p, displacement, velocity);
}

template <int dim>
std::vector<Column> FieldError<dim>::columns(const Units &units) const
{
  const bool named = units.length != "1";
  const auto column = [&](const std::string &what, const double power, const bool rate) {
    const std::string length = power == 1. ? units.length : fmt::format("{}^{:g}", units.length, power);
    return Column{own_name + "." + what, !named ? "1" : length + (rate ? "/" + units.time : "")};
  };
  std::vector<Column> all;
  if (!displacement.empty())
    all = {column("L2", 1. + 0.5 * dim, false), column("H1", 0.5 * dim, false)};
  if (!velocity.empty())
  {
    all.push_back(column("v_L2", 1. + 0.5 * dim, true));
    all.push_back(column("v_H1", 0.5 * dim, true));
  }
  return all;
}

template <int dim>
std::array<double, 2> FieldError<dim>::partial(const Discretisation<dim> &mesh, const Vector &x, const std::vector<Expression> &exact,
                                               const double t) const
{
  x.update_ghost_values();
  std::array<double, 2> sums{};
  for_points_of_body<dim>(mesh, [&](const dealii::FEValues<dim> &values, const unsigned int q, const std::vector<unsigned int> &nodes) {
    for (int i = 0; i < dim; ++i)
    {
      const Series<0, dim> u = value_at<dim>(exact[i], values.quadrature_point(q), t);
      double error = -u.c[0];
      dealii::Tensor<1, dim> slope;
      for (int d = 0; d < dim; ++d)
        slope[d] = -u.e[0][d];
      for (std::size_t a = 0; a < nodes.size(); ++a)
      {
        const double component = x.local_element(dim * nodes[a] + i);
        error += component * values.shape_value(a, q);
        slope += component * values.shape_grad(a, q);
      }
      sums[0] += values.JxW(q) * error * error;
      sums[1] += values.JxW(q) * slope.norm_square();
    }
  });
  return sums;
}

template <int dim>
std::vector<double> FieldError<dim>::values(const Discretisation<dim> &mesh, const Vector &q, const Vector &v, const double t) const
{
  std::vector<double> norms;
  for (const auto &[x, exact] : {std::pair{&q, &displacement}, {&v, &velocity}})
    if (!exact->empty())
      for (const double sum : partial(mesh, *x, *exact, t))
        norms.push_back(std::sqrt(MPI::sum(sum, mesh.communicator)));
  return norms;
}

template class FieldError<2>;
template class FieldError<3>;
}  // namespace symdyn
