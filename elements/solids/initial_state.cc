#include "elements/solids/initial_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/space/named_cells.h"
#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
template <int dim>
void InitialState<dim>::Part::declare(Parameters &p)
{
  std::vector<Expression> strain;
  p.add("Elements", elements, "sets of elements that the mesh's file names (.inp files); default: the whole body");
  p.add("Stress", value, "Cauchy's, components 11, 22, 33, 12, 13, 23 [Pa], expressions of x, y, z, in the undeformed body");
  p.add("Plastic strain", strain,
        "strain whose elastic part is its negative in the undeformed body, components 11, 22, 33, 12, 13, 23 [-], expressions of x, y, z");
  where = p.where();
  kind = strain.empty() ? InitialPoint::stress : InitialPoint::plastic_strain;
  const char *entry = strain.empty() ? "Stress" : "Plastic strain";
  if (!value.empty() && !strain.empty())
    p.fail("Plastic strain", "Stress is given, too, and it is that at the start, of whatever strain. Remove one of the two");
  if (value.empty())
    value = strain;
  if (p.exists() && value.size() != 6)
    p.fail(entry, fmt::format("has {} components; needs 6: 11, 22, 33, 12, 13, 23, separated by commas", value.size()));
  for (std::size_t c = 0; c < value.size(); ++c)
  {
    if (value[c].uses("t"))
      p.fail(entry, "a state at the start depends on x, y, z alone. Remove t");
    if (dim == 2 && c > 3 && !value[c].is_zero())
      p.fail(entry, "components 13 and 23 of a plane body are 0. Write 0");
  }
}

template <int dim>
void InitialState<dim>::declare(const Parameters &p)
{
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    parts.emplace_back();
    parts.back().declare(section);
  }
}

template <int dim>
bool InitialState<dim>::strains() const
{
  return std::any_of(parts.begin(), parts.end(), [](const Part &part) { return part.kind == InitialPoint::plastic_strain; });
}

template <int dim>
void InitialState<dim>::document(const Parameters &p)
{
  Parameters section = p.section("<name>");
  Part().declare(section);
}

template <int dim>
void InitialState<dim>::prepare(const Discretisation<dim> &mesh, const bool plane_stress)
{
  std::vector<const Part *> owner(mesh.triangulation->n_active_cells(), nullptr);
  std::string fault;  // cells are those that this rank knows
  for (Part &part : parts)
  {
    if (plane_stress && (part.kind == InitialPoint::plastic_strain || !part.value[2].is_zero()))
      throw InputError(part.where +
                       ": a body in plane stress has no stress 33, and no initial plastic strain yet. Give a Stress with 33 = 0");
    try
    {
      if (!part.elements.empty())
        part.in = cells_of(mesh, part.elements);
    }
    catch (const InputError &error)
    {
      throw InputError(part.where + ": Elements: " + error.what());
    }
    for (unsigned int cell = 0; cell < owner.size(); ++cell)
      if (part.has(cell))
      {
        if (owner[cell])
          fault = part.where + ": a cell has an initial state by " + owner[cell]->where + ", too. Name each element once";
        owner[cell] = &part;
      }
  }
  throw_collectively<InputError>(fault, mesh.communicator);
}

template <int dim>
InitialPoint InitialState<dim>::at(const unsigned int cell, const double *X) const
{
  InitialPoint point;
  for (const Part &part : parts)
    if (part.has(cell))
    {
      point.kind = part.kind;
      for (int c = 0; c < 6; ++c)
      {
        point.value[c] = part.value[c].at(X, dim, 0.);
        if (!std::isfinite(point.value[c]))
          throw InputError(fmt::format("{}: '{}' is {} at X = ({:.6g}, {:.6g}, {:.6g}). Give formulas with a value in all cells",
                                       part.where, part.value[c].text(), point.value[c], X[0], X[1], X[2]));
      }
    }
  return point;
}

template class InitialState<2>;
template class InitialState<3>;
}  // namespace symdyn
