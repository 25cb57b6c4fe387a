#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/supports/supports.h"
#include "solver/error.h"
#include "solver/parameters.h"

// How a deck describes supports, and what they report.
namespace symdyn
{
template <int dim>
void Supports<dim>::declare(Parameters &p)
{
  for (const std::string &name : p.named_sections())
    declare_one(name, p.section(name));
}

template <int dim>
void Supports<dim>::document(Parameters p)
{
  Support s;
  add_entries(s, p);
}

template <int dim>
void Supports<dim>::add_entries(Support &s, Parameters &p)
{
  std::vector<std::string> types{"fixed", "pinned", "roller", "symmetry"};
  types.insert(types.begin() + 1, SupportMotion::types().begin(), SupportMotion::types().end());
  s.region.add_entries(p);
  p.add(
      "Type", s.type,
      "fixed: no displacement, shells do not turn; pinned: no displacement; displacement, velocity, acceleration: see the entry of this name; "
      "roller, symmetry: no displacement along the normal of a plane boundary, symmetry: shells turn about it alone",
      types);
  p.add("Normal", s.normal, "of a roller; default: the plane's own");
  p.add("Rotation", s.rotation.texts,
        "of beams and shells with Type = displacement, velocity, acceleration, roller: about each axis 0, free, or the component of the "
        "rotation vector [rad], an expression of t; default: free");
  std::string geometry = "nonlinear";
  p.add("Geometry", geometry, "of a Rotation that moves: nonlinear; or linear, for small rotations, which may move about one axis or two",
        {"nonlinear", "linear"});
  s.small_rotations = geometry == "linear";
  s.motion.declare(p, s.type, dim);
  s.axes.declare(p, dim);
}

template <int dim>
void Supports<dim>::declare_one(const std::string &name, Parameters p)
{
  Support s;
  s.name = name;
  add_entries(s, p);
  s.region.check(p, dim);
  s.where = p.where(s.region.entry());
  if (s.region.boundaries.empty() && (s.type == "symmetry" || (s.type == "roller" && !p.given("Normal"))))
    p.fail("Type", "nodes alone have no normal. Use a Boundary, or give the Normal of a roller");
  if (p.given("Normal") && s.type != "roller")
    p.fail("Normal", "has no effect: only Type = roller has a normal");
  const bool moves = SupportMotion::is_type(s.type);
  if (p.given("Rotation") && !moves && s.type != "roller")
    p.fail("Rotation", "Type = " + s.type + " says how nodes turn. Remove the entry");
  read_rotation(s, p);
  if (s.axes.given() && !moves)
    p.fail("Axes", "has no effect: Type = " + s.type + " has no components. Remove the entry");
  if (p.given("Normal") && (s.normal.size() != dim || std::all_of(s.normal.begin(), s.normal.end(), [](double n) { return n == 0.; })))
    p.fail("Normal", fmt::format("needs {} components, not all zero", dim));
  supports.push_back(s);
}

template <int dim>
void Supports<dim>::read_rotation(Support &s, const Parameters &p)
{
  if (p.given("Geometry") && !p.given("Rotation"))
    p.fail("Geometry", "is of a Rotation, and there is none. Remove the entry");
  if (!p.given("Rotation"))
    return;
  s.rotation.read(p);
  if (!s.small_rotations)
    s.rotation.check_large(p);
  s.turns_by_components = s.small_rotations || s.rotation.count() < 3;
  s.theta = s.rotation.applied(s.small_rotations);
}

template <int dim>
std::vector<std::string> Supports<dim>::standing() const
{
  std::vector<std::string> names;
  for (const Support &support : supports)
    for (int d = 0; d < dim; ++d)
      if (support.motion.stands(d) && (names.empty() || names.back() != support.name))
        names.push_back(support.name);
  return names;
}

template <int dim>
bool Supports<dim>::holds_rotation(const Support &support) const
{
  if (dim < 3 || !of_mesh || !of_mesh->turn())
    return false;
  if (!support.rotation.any())
    return support.type == "fixed";
  return !support.rotation.moves() && support.rotation.holds(0) && support.rotation.holds(1) && support.rotation.holds(2);
}

template <int dim>
std::vector<std::string> Supports<dim>::columns() const
{
  std::vector<std::string> columns;
  for (const Support &support : supports)
    for (const char *what : {"R", "RM"})
      for (int d = 0; d < dim && (what[1] == 0 || holds_rotation(support)); ++d)
        columns.push_back(fmt::format("{}.{}_{}", support.name, what, "xyz"[d]));
  return columns;
}

namespace
{
template <int dim>
dealii::Tensor<1, dim> vector_at(const Vector &force, const unsigned int site)
{
  dealii::Tensor<1, dim> f;
  for (int d = 0; d < dim; ++d)
    f[d] = force.local_element(dim * site + d);
  return f;
}
}  // namespace

template <int dim>
dealii::Tensor<1, dim> Supports<dim>::moment(const Support &support, const Vector &force) const
{
  dealii::Tensor<1, dim> M;
  if constexpr (dim == 3)
  {
    std::vector<double> middle(dim + 1, 0.);  // sum of the places of the nodes, and their number
    for (const unsigned int node : support.nodes)
      for (int d = 0; d <= dim; ++d)
        middle[d] += d < dim ? of_mesh->positions()[node][d] : 1.;
    dealii::Utilities::MPI::sum(middle, of_mesh->communicator(), middle);
    for (const unsigned int node : support.nodes)
    {
      dealii::Tensor<1, dim> arm = of_mesh->positions()[node];
      for (int d = 0; d < dim; ++d)
        arm[d] -= middle[d] / middle[dim];
      M += dealii::cross_product_3d(arm, vector_at<dim>(force, node));
      for (const auto &director : of_mesh->directors(node))
        M += dealii::cross_product_3d(director.at_rest, vector_at<dim>(force, director.site));
    }
  }
  return M;
}

template <int dim>
std::vector<double> Supports<dim>::sums(const Vector &force) const
{
  std::vector<double> sums;
  for (const Support &support : supports)
  {
    dealii::Tensor<1, dim> R, M;
    for (const unsigned int node : support.nodes)
      R += vector_at<dim>(force, node);
    sums.insert(sums.end(), R.begin_raw(), R.end_raw());
    if (!holds_rotation(support))
      continue;
    M = moment(support, force);
    sums.insert(sums.end(), M.begin_raw(), M.end_raw());
  }
  dealii::Utilities::MPI::sum(sums, of_mesh->communicator(), sums);
  return sums;
}

template void Supports<2>::declare(Parameters &);
template void Supports<3>::declare(Parameters &);
template void Supports<2>::document(Parameters);
template void Supports<3>::document(Parameters);
template std::vector<std::string> Supports<2>::standing() const;
template std::vector<std::string> Supports<3>::standing() const;
template std::vector<std::string> Supports<2>::columns() const;
template std::vector<std::string> Supports<3>::columns() const;
template std::vector<double> Supports<2>::sums(const Vector &) const;
template std::vector<double> Supports<3>::sums(const Vector &) const;
}  // namespace symdyn
