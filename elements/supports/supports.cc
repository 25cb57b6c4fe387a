#include "elements/supports/supports.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>
#include <fmt/format.h>

#include <algorithm>

#include "solver/base/names.h"
#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// What of n is across the span of these directions, by the method of Gram and Schmidt.
template <int dim, class Directions>
dealii::Tensor<1, dim> part_across(const Directions &directions, const dealii::Tensor<1, dim> &n)
{
  dealii::Tensor<1, dim> rest = n;
  std::vector<dealii::Tensor<1, dim>> basis;
  for (const auto &known : directions)
  {
    dealii::Tensor<1, dim> b = known.n;
    for (const auto &e : basis)
      b -= (b * e) * e;
    basis.push_back(b / b.norm());
    rest -= (rest * basis.back()) * basis.back();
  }
  return rest;
}
}  // namespace

template <int dim>
dealii::Tensor<1, dim> Supports<dim>::plane_normal(const Support &support, const std::string &boundary) const
{
  const dealii::Tensor<1, dim> normal = of_mesh->plane_normal(boundary);
  if (normal.norm() == 0.)
    throw InputError(
        fmt::format("{}: boundary '{}' is not plane, so a {} has no single normal. Give \"Normal\" (roller) or split the boundary",
                    support.where, boundary, support.type));
  return normal;
}

template <int dim>
void Supports<dim>::prepare(std::shared_ptr<const SupportedNodes<dim>> nodes)
{
  of_mesh = std::move(nodes);
  for (const Support &support : supports)
    if (support.rotation.any() && !of_mesh->turn())
      throw InputError(support.where + ": Rotation is of shells: nodes of a solid do not turn. Remove the entry");
  held.clear();
  singles.clear();
  at.assign(of_mesh->local(), -1);
  for (int s = 0; s < int(supports.size()); ++s)
  {
    Support &support = supports[s];
    support.nodes.clear();
    for (const std::string &boundary : support.region.boundaries)
      hold_boundary(s, boundary);
    if (support.region.boundaries.empty())
      hold_region(s);
    std::sort(support.nodes.begin(), support.nodes.end());
    support.nodes.erase(std::unique(support.nodes.begin(), support.nodes.end()), support.nodes.end());
  }
  for (Held &node : held)
    complete(node);
}

template <int dim>
void Supports<dim>::hold_boundary(const int s, const std::string &boundary)
{
  const Support &support = supports[s];
  std::vector<unsigned int> nodes;
  dealii::Tensor<1, dim> normal;
  const bool along_normal = support.type == "roller" || support.type == "symmetry";
  try
  {
    nodes = of_mesh->on_boundary(boundary);
  }
  catch (const InputError &error)
  {
    throw InputError(support.where + ": " + error.what());
  }
  if (along_normal && support.normal.empty())
    normal = plane_normal(support, boundary);
  else if (along_normal)
    for (int d = 0; d < dim; ++d)
      normal[d] = support.normal[d];
  hold_each(nodes, s, normal, along_normal);
}

template <int dim>
void Supports<dim>::hold_region(const int s)
{
  const Support &support = supports[s];
  std::vector<unsigned int> nodes;
  dealii::Tensor<1, dim> normal;
  try
  {
    nodes = support.region.nodes(*of_mesh);
  }
  catch (const InputError &error)
  {
    throw InputError(support.where + ": " + error.what());
  }
  for (int d = 0; d < dim && support.type == "roller"; ++d)
    normal[d] = support.normal[d];
  hold_each(nodes, s, normal, support.type == "roller");
}

template <int dim>
void Supports<dim>::hold_each(const std::vector<unsigned int> &nodes, const int s, const dealii::Tensor<1, dim> &normal,
                              const bool along_normal)
{
  std::string fault;  // only ranks that see the node can tell
  try
  {
    for (const unsigned int node : nodes)
      hold_all(node, s, normal, along_normal);
  }
  catch (const InputError &error)
  {
    fault = error.what();
  }
  throw_collectively<InputError>(fault, of_mesh->communicator());
}

template <int dim>
void Supports<dim>::hold_all(const unsigned int node, const int s, const dealii::Tensor<1, dim> &normal, const bool along_normal)
{
  Support &support = supports[s];
  if (node < of_mesh->owned())
    support.nodes.push_back(node);
  if (!support.holds)
    return;
  if (along_normal)
    hold(node, {normal / normal.norm(), s, -1});
  for (int c = 0; c < dim && !along_normal; ++c)
    if (support.motion.prescribes(c))
    {
      dealii::Tensor<1, dim> axis;
      axis[c] = 1.;
      if (support.axes.given())
        axis = support.axes.at(of_mesh->positions()[node])[c];
      hold(node, {axis, s, support.motion.rests(c) ? -1 : c, support.motion.stands(c)});
    }
  hold_directors(node, s, normal);
}

template <int dim>
std::string Supports<dim>::text(const Direction &direction) const
{
  const Support &support = supports[direction.support];
  if (direction.turned.norm() > 0.)
    return "the rotation " + symdyn::join(support.rotation.texts);
  return direction.stands ? "hold" : direction.component < 0 ? "0" : support.motion.text(direction.component);
}

template <int dim>
void Supports<dim>::hold(const unsigned int node, const Direction &direction)
{
  if (at[node] < 0)
  {
    at[node] = held.size();
    held.push_back({node, {}, {}, {}});
  }
  Held &h = held[at[node]];
  // A direction within the span of the earlier ones adds nothing; if it moves, it must say the same.
  if (part_across(h.directions, direction.n).norm() > 1e-6)
  {
    h.directions.push_back(direction);
    return;
  }
  // n = sum of c_k n_k, so g = sum of c_k g_k must hold at all times: of what moves, the same text alone is sure to.
  complete(h);
  for (std::size_t k = 0; k < h.directions.size(); ++k)
  {
    const Direction &known = h.directions[k];
    const double c = h.lift[k] * direction.n;
    if (std::abs(c) < 1e-6 || (known.rests() && direction.rests() && known.stands == direction.stands) ||
        (std::abs(c - 1.) < 1e-6 && text(known) == text(direction)))
      continue;
    const dealii::Point<dim> place = of_mesh->place(node);
    throw InputError(
        fmt::format("{}: support '{}' prescribes {} where support '{}' prescribes {} (a node at ({:g}, {:g}{}) m). "
                    "Let one of them leave this component `free`, or make them equal",
                    supports[direction.support].where, supports[direction.support].name, text(direction), supports[known.support].name,
                    text(known), place[0], place[1], dim == 3 ? fmt::format(", {:g}", place[dim - 1]) : ""));
  }
}

template <int dim>
void Supports<dim>::complete(Held &node) const
{
  const unsigned int m = node.directions.size();
  dealii::FullMatrix<double> NNt(m, m), inverse(m, m);
  for (unsigned int k = 0; k < m; ++k)
    for (unsigned int l = 0; l < m; ++l)
      NNt(k, l) = node.directions[k].n * node.directions[l].n;
  inverse.invert(NNt);
  node.P = dealii::unit_symmetric_tensor<dim>();
  node.lift.assign(m, {});
  for (unsigned int k = 0; k < m; ++k)
  {
    for (unsigned int l = 0; l < m; ++l)
      node.lift[k] += inverse(k, l) * node.directions[l].n;
    node.P -= outer_product(node.lift[k], node.directions[k].n);
  }
}

template <int dim>
void Supports<dim>::hold_only(const std::vector<bool> &hold)
{
  for (std::size_t s = 0; s < supports.size(); ++s)
  {
    supports[s].holds = hold[s];
    supports[s].begins = false;
  }
}

template <int dim>
void Supports<dim>::begin(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q)
{
  hold_only(hold);
  const std::vector<SingleRotation> before = singles;
  prepare(of_mesh);
  std::string fault;
  if (singles != before)
    fault = fmt::format(
        "{}: one rotation of nodes with several directors is held in some stages alone, which cannot be computed. Hold two, or "
        "three, or let all stages have the support",
        supports[(singles.empty() ? before : singles).front().support].where);
  throw_collectively<InputError>(fault, of_mesh->communicator());
  for (std::size_t s = 0; s < supports.size(); ++s)
    if ((supports[s].begins = begin[s]))
      for (const unsigned int node : supports[s].nodes)
      {
        std::vector<unsigned int> sites{node};
        for (const auto &director : of_mesh->directors(node))
          sites.push_back(director.site);
        for (const unsigned int site : sites)
          for (int d = 0; d < dim; ++d)
            supports[s].stood[site][d] = q.local_element(dim * site + d);
      }
}

/// From where the node stood to what is prescribed, in the stage in which the support begins.
template <int dim>
Jet<double> Supports<dim>::prescribed(const Held &h, const Direction &direction, const Factors &factors,
                                      const std::vector<SupportMotion::Instant> &instants) const
{
  const Support &support = supports[direction.support];
  const auto stood = support.stood.find(h.node);
  const double from = stood == support.stood.end() ? 0. : stood->second * direction.n;
  if (direction.stands)
    return Jet<double>(from);
  const double factor = support.begins ? factors.beginning : factors.others;
  Jet<double> g(support.begins ? (1. - factor) * from : 0.);
  if (const dealii::Point<dim> place = of_mesh->place(h.node); direction.component >= 0)
    g = g + factor * support.motion(direction.component, &place[0], dim, instants[direction.support]);
  if (direction.turned.norm() > 0.)
    g = g + turned(h, direction, factor, instants[direction.support].t);
  return g;
}

template <int dim>
void Supports<dim>::impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const
{
  const Factors factors{actions.reached, actions.motion()};
  std::vector<SupportMotion::Instant> instants;
  for (const Support &s : supports)
    instants.push_back(s.motion.at(t));
  for (const Held &h : held)
  {
    if (h.node >= of_mesh->owned())
      continue;
    dealii::Tensor<1, dim> value[3];
    for (unsigned int k = 0; k < h.directions.size(); ++k)
    {
      const Direction &direction = h.directions[k];
      if (direction.rests() && !direction.stands && !supports[direction.support].begins)
        continue;
      const Jet<double> g = prescribed(h, direction, factors, instants);
      value[0] += g.x * h.lift[k];
      value[1] += g.d * h.lift[k];
      value[2] += g.dd * h.lift[k];
    }
    Vector *const fields[] = {&q, &v, &a};
    for (int f = 0; f < 3; ++f)
    {
      dealii::Tensor<1, dim> x;
      for (int d = 0; d < dim; ++d)
        x[d] = fields[f]->local_element(dim * h.node + d);
      x = h.P * x + value[f];
      for (int d = 0; d < dim; ++d)
        fields[f]->local_element(dim * h.node + d) = x[d];
    }
  }
  // Who reads ghosts fetches them; and a copy of a vector that has them would send them again.
  for (Vector *x : {&q, &v, &a})
    x->zero_out_ghost_values();
}

template <int dim>
void Supports<dim>::project(Vector &r) const
{
  for (const Held &h : held)
    if (h.node < of_mesh->owned())
    {
      dealii::Tensor<1, dim> x;
      for (int d = 0; d < dim; ++d)
        x[d] = r.local_element(dim * h.node + d);
      x = h.P * x;
      for (int d = 0; d < dim; ++d)
        r.local_element(dim * h.node + d) = x[d];
    }
}

template <int dim>
void Supports<dim>::add_tables(std::vector<DrivingTable> &driving) const
{
  for (const Support &support : supports)
    if (const Table *table = support.motion.table(); table && support.holds)
      driving.push_back({"support " + support.name, *table, false, support.motion.displaces(), true, support.motion.displaces()});
}

template <int dim>
bool Supports<dim>::moves() const
{
  return std::any_of(supports.begin(), supports.end(),
                     [](const Support &s) { return s.holds && (s.motion.moves() || s.rotation.moves()); });
}

template class Supports<2>;
template class Supports<3>;
}  // namespace symdyn
