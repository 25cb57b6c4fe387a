#include "elements/cells/formulation.h"

#include <deal.II/base/quadrature_lib.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "elements/cells/cell_kernels.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
template <int dim>
using Formulations = Registry<Formulation<dim>>;

/// The part before the slash.
std::string deck_name(const std::string &registered) { return registered.substr(0, registered.find('/')); }

/// Those of a name, for a shape or for any.
template <int dim>
std::vector<std::shared_ptr<const Formulation<dim>>> named(const std::string &name, const dealii::ReferenceCell *cell)
{
  std::vector<std::shared_ptr<const Formulation<dim>>> found;
  for (const std::string &registered : Formulations<dim>::instance().names())
    if (deck_name(registered) == name)
    {
      std::shared_ptr<const Formulation<dim>> one = Formulations<dim>::instance().make(registered);
      if (!cell || one->serves(*cell))
        found.push_back(one);
    }
  return found;
}
}  // namespace

template <int dim>
dealii::Quadrature<dim - 1> Formulation<dim>::face_points(const Shape &face, const int degree) const
{
  if (face.is_simplex() && dim == 3)
    return dealii::QWitherdenVincentSimplex<dim - 1>(degree + 1);
  return dealii::QGauss<dim - 1>(degree + 1);
}

template <int dim>
void Formulation<dim>::lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, const double density,
                            Wide *m) const
{
  const int nodes = family.stiffness.nodes;
  std::vector<Wide> consistent(nodes * (nodes + 1) / 2);
  kernels.mass(X, density, consistent.data());
  for (int a = 0; a < nodes; ++a)
  {
    m[a] = 0.;
    for (int b = 0; b < nodes; ++b)
      m[a] += consistent[pair_index(a, b)];
  }
}

template <int dim>
void scale_diagonal(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, const double density, Wide *m)
{
  const int nodes = family.stiffness.nodes;
  std::vector<Wide> consistent(nodes * (nodes + 1) / 2);
  kernels.mass(X, density, consistent.data());
  Wide total = 0., diagonal = 0.;
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b)
      total += consistent[pair_index(a, b)];
  for (int a = 0; a < nodes; ++a)
    diagonal += consistent[pair_index(a, a)];
  for (int a = 0; a < nodes; ++a)
    m[a] = consistent[pair_index(a, a)] * total / diagonal;
}

template <int dim>
std::vector<std::string> formulation_names()
{
  std::set<std::string> names;
  for (const std::string &registered : Formulations<dim>::instance().names())
    names.insert(deck_name(registered));
  return {names.begin(), names.end()};
}

template <int dim>
std::string help_of_formulations()
{
  std::vector<std::string> texts;
  for (const std::string &name : formulation_names<dim>())
  {
    const std::string help = named<dim>(name, nullptr).front()->help();
    texts.push_back(help.empty() ? name : name + " (" + help + ")");
  }
  return join(texts);
}

template <int dim>
bool has_formulation(const std::string &name, const dealii::ReferenceCell &cell)
{
  return !named<dim>(name, &cell).empty();
}

template <int dim>
std::shared_ptr<const Formulation<dim>> any_formulation(const std::string &name, const dealii::ReferenceCell &cell)
{
  const auto found = named<dim>(name, &cell);
  return found.empty() ? nullptr : found.front();
}

template <int dim>
std::shared_ptr<const Formulation<dim>> find_formulation(const std::string &name, const dealii::ReferenceCell &cell, const int degree)
{
  const auto standard = named<dim>("standard", &cell), wanted = named<dim>(name, &cell), all = named<dim>(name, nullptr);
  if (standard.empty())
    throw InputError(fmt::format("there are no elements for {} cells", cell.to_string()));
  if (all.empty())
    throw InputError(fmt::format("Element = {} does not exist; there are: {}", name, join(nearest_first(name, formulation_names<dim>()))));
  const auto [least, highest] = standard.front()->degrees();
  if (degree < least || degree > highest)
    throw InputError(fmt::format("degree {} is not supported for {} cells; there is {} to {}", degree, cell.to_string(), least, highest));
  for (const auto &one : wanted)
    if (degree >= one->degrees().first && degree <= one->degrees().second)
      return one;
  const auto &nearest = wanted.empty() ? all.front() : wanted.front();
  throw InputError(
      fmt::format("{} elements are {} of degree {}; there are none for {} cells of degree {}. Set Order = {}, or Element = standard", name,
                  nearest->cells(), nearest->degrees().first, cell.to_string(), degree, nearest->degrees().first));
}

template class Formulation<2>;
template class Formulation<3>;
template std::vector<std::string> formulation_names<2>();
template std::vector<std::string> formulation_names<3>();
template std::string help_of_formulations<2>();
template std::string help_of_formulations<3>();
template bool has_formulation<2>(const std::string &, const dealii::ReferenceCell &);
template bool has_formulation<3>(const std::string &, const dealii::ReferenceCell &);
template std::shared_ptr<const Formulation<2>> any_formulation(const std::string &, const dealii::ReferenceCell &);
template std::shared_ptr<const Formulation<3>> any_formulation(const std::string &, const dealii::ReferenceCell &);
template std::shared_ptr<const Formulation<2>> find_formulation(const std::string &, const dealii::ReferenceCell &, int);
template std::shared_ptr<const Formulation<3>> find_formulation(const std::string &, const dealii::ReferenceCell &, int);
template void scale_diagonal(const ElementFamily<2> &, const CellKernels<2> &, const Wide *, double, Wide *);
template void scale_diagonal(const ElementFamily<3> &, const CellKernels<3> &, const Wide *, double, Wide *);
}  // namespace symdyn
