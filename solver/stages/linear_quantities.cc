#include "solver/stages/linear_quantities.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "solver/stages/analysis.h"
#include "solver/vibration/linear_motion.h"

namespace symdyn
{
bool LinearQuantities::is_linear(const Column &column)
{
  switch (column.kind)
  {
    case Kind::motion:
    case Kind::force:
    case Kind::moment:
    case Kind::stress:
    case Kind::rotation:
      return true;
    default:
      return false;
  }
}

LinearQuantities::LinearQuantities(const Analysis &analysis, const MechanicalSystem &system) : analysis(analysis), system(system)
{
  const Structure &structure = *analysis.structure;
  const std::vector<std::string> of_supports = structure.supports().columns();
  supports = of_supports.size();
  const std::vector<Column> reported = structure.report_columns(analysis.units);
  for (std::size_t i = 0; i < reported.size(); ++i)
  {
    const Column &column = reported[i];
    if (column.kind == Kind::motion)
      of_motion.push_back(i);
    else if (is_linear(column) && std::find(of_supports.begin(), of_supports.end(), column.name) == of_supports.end())
      of_force.push_back(i);
  }
  for (const std::vector<std::size_t> &places : {of_motion, of_force})
    for (const std::size_t i : places)
      all.push_back(reported[i]);
  for (const std::string &column : of_supports)
    all.push_back(
        {column, StructureSupports::unit(column, analysis.units), StructureSupports::is_moment(column) ? Kind::moment : Kind::force});
  const ModelFacts facts = structure.facts();
  double square = 0;
  for (int d = 0; d < 3; ++d)
    square += std::pow(facts.upper[d] - facts.lower[d], 2);
  length = square > 0. ? std::sqrt(square) : 1.;
  State rest = analysis.state;
  rest.q = rest.v = rest.a = system.new_vector();
  nothing = structure.report(rest, false);
  at_rest = structure.stresses(analysis.state, {});
  const MPI_Comm ranks = analysis.state.q.get_mpi_communicator();
  stressed = dealii::Utilities::MPI::max(int(!at_rest.stress.empty()), ranks) > 0;
  axial = dealii::Utilities::MPI::max(int(at_rest.axial), ranks) > 0;
}

std::vector<double> LinearQuantities::motions(const Vector &u, const Vector &a, const double omega) const
{
  constexpr double part = 1e-3;  // a size at which nothing warns of large motion
  const double size = u.linfty_norm(), factor = size > 0. ? part * length / size : 1.;
  State at = analysis.state;
  at.q = u;
  at.q *= factor;
  at.v = at.q;
  at.v *= omega;
  at.a = a;
  at.a *= factor;
  for (Vector *x : {&at.q, &at.v, &at.a})
    x->update_ghost_values();
  const std::vector<double> whole = analysis.structure->report(at, false);
  std::vector<double> values;
  for (const std::size_t i : of_motion)
    values.push_back((whole[i] - nothing[i]) / factor);
  return values;
}

double LinearQuantities::small_part(const Vector &u) const
{
  constexpr double part = 1e-5;
  const double size = u.linfty_norm();
  return size > 0. ? part * length / size : 1.;
}

std::vector<double> LinearQuantities::derivative(const Vector &u, const std::function<std::vector<double>(const State &)> &values) const
{
  const double step = small_part(u);
  std::vector<double> ends[2];
  for (const int side : {0, 1})
  {
    State at = analysis.state;
    at.q.add(side == 0 ? step : -step, u);
    at.v = at.a = system.new_vector();
    for (Vector *x : {&at.q, &at.v, &at.a})
      x->update_ghost_values();
    ends[side] = values(at);
  }
  for (std::size_t i = 0; i < ends[0].size(); ++i)
    ends[0][i] = (ends[0][i] - ends[1][i]) / (2. * step);
  return ends[0];
}

std::vector<double> LinearQuantities::forces(const Vector &u) const
{
  if (of_force.empty())
    return {};
  const std::vector<double> slopes = derivative(u, [this](const State &at) { return analysis.structure->report(at, true); });
  std::vector<double> values;
  for (const std::size_t i : of_force)
    values.push_back(slopes[i]);
  return values;
}

std::vector<std::vector<double>> LinearQuantities::stresses(const std::vector<Vector> &u) const
{
  std::vector<Vector> motions = u;
  for (Vector &w : motions)
  {
    w.zero_out_ghost_values();
    w *= small_part(w);
  }
  std::vector<std::vector<double>> slopes = std::move(analysis.structure->stresses(analysis.state, motions).along);
  for (std::size_t k = 0; k < u.size(); ++k)
  {
    const double part = small_part(u[k]);
    for (double &one : slopes[k])
      one /= part;
  }
  return slopes;
}

std::vector<double> LinearQuantities::of_load(const Vector &f) const
{
  std::vector<double> values(all.size(), 0.);
  if (supports == 0)
    return values;
  Vector held = f;
  system.project_prescribed(held);
  const std::vector<double> sums = analysis.structure->supports().sums(held);
  for (std::size_t i = 0; i < sums.size(); ++i)
    values[all.size() - supports + i] = -sums[i];
  return values;
}

std::vector<double> LinearQuantities::of(const Vector &u, const Vector &a, const double omega) const
{
  std::vector<double> values = motions(u, a, omega);
  const std::vector<double> others = forces(u);
  values.insert(values.end(), others.begin(), others.end());
  if (supports > 0)
  {
    Vector R = system.new_vector(), Ma = R;
    tangent(system, analysis.state.t, analysis.state.q, u, R);
    system.mass(a, Ma);
    R += Ma;
    system.project_prescribed(R);
    const std::vector<double> sums = analysis.structure->supports().sums(R);
    values.insert(values.end(), sums.begin(), sums.end());
  }
  return values;
}
}  // namespace symdyn
