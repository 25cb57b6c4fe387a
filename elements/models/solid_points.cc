#include "elements/models/solid_points.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/lumped/point_output.h"
#include "solver/base/together.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"

namespace symdyn
{
void SolidPoints::declare(Parameters &root)
{
  if (!PointSections::given(root))
    return;
  deck = root;
  PointSections::announce(root);
}

void SolidPoints::build(NodalSystem &body, const MeshPoints &mesh, std::shared_ptr<LinearSolver> linear_solver,
                        const double linear_tolerance, std::shared_ptr<const BaseMotion> base)
{
  if (!deck)
    return;
  sections.read(*deck, &mesh);
  sections.model.parts.base = std::move(base);
  joint = std::make_unique<JointSystem>(body, sections.model.parts, std::move(linear_solver), linear_tolerance);
}

State SolidPoints::of_body(const State &state) const
{
  State part;
  part.t = state.t;
  part.n = state.n;
  part.q = joint->of_body(state.q);
  part.v = joint->of_body(state.v);
  part.a = joint->of_body(state.a);
  return part;
}

Vector SolidPoints::joined(const Vector &of_body) const
{
  return joint->joined(of_body, std::vector<double>(sections.model.velocity.size(), 0.));
}

void SolidPoints::initialise(State &state) const
{
  const DiscreteModel &model = sections.model;
  state.q = joint->joined(state.q, model.displacement);
  state.v = joint->joined(state.v, model.velocity);
  state.a = joint->joined(state.a, std::vector<double>(model.velocity.size(), 0.));
  joint->impose(state.t, state.q, state.v, state.a);
}

std::vector<double> SolidPoints::report(const State &state) const
{
  const Vector q = joint->of_points(state.q), v = joint->of_points(state.v);
  return sections.report(q.begin(), v.begin());
}

std::vector<double> SolidPoints::momenta(const State &state, const Vector &Mv) const
{
  Vector xi = joint->new_vector();
  std::vector<double> values(joint->momenta().size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    joint->generator(i, state.q, xi);
    values[i] = xi * Mv;
  }
  return values;
}

Vector SolidPoints::force_on_points(const State &state, const bool statics) const
{
  const DiscreteSystem &points = joint->point_system();
  const Vector q = joint->of_points(state.q), v = joint->of_points(state.v);
  Vector sum = points.new_vector(), force = sum;
  points.internal_force(q, sum);
  if (statics)
    return sum;
  points.damping_force(q, v, force);
  sum += force;
  points.mass(joint->of_points(state.a), force);
  sum += force;
  return sum;
}

Vector SolidPoints::stiffness_on_points(const State &about, const Vector &u) const
{
  const DiscreteSystem &points = joint->point_system();
  Vector force = points.new_vector();
  points.stiffness(joint->of_points(about.q), joint->of_points(u), force);
  return force;
}

Vector SolidPoints::force_on_body(const State &state, const bool statics) const
{
  const DiscreteSystem &points = joint->point_system();
  Vector sum = force_on_points(state, statics), force = points.new_vector();
  points.applied_force(state.t, joint->of_points(state.q), joint->of_points(state.v), force);
  sum -= force;
  if (const HolonomicConstraints *constraints = joint->constraints(); constraints && !statics)
  {
    std::vector<double> u, w(constraints->coordinates(), 0.);
    ConstraintRows G;
    constraints->gather(state.q, u);
    constraints->jacobian(u, G);
    G.add_transposed(multipliers_of_motion(*joint, state), w);
    for (std::size_t i = 0; i < w.size(); ++i)
      sum.local_element(i) -= w[i];
  }
  return joint->on_nodes(sum);
}

void SolidPoints::add_facts(ModelFacts &facts) const
{
  const auto &parts = sections.model.parts;
  std::array<double, 3> moment{};
  double mass = facts.mass;
  for (int d = 0; d < parts.dimension; ++d)
    moment[d] = facts.mass * facts.centre[d];
  for (const auto &point : parts.points)
  {
    if (point.node < 0)
    {
      ++facts.nodes;
      facts.dofs += parts.dimension;
      facts.held_nodes += point.fixed;
    }
    if (point.fixed)
      facts.supports.push_back(point.support());
    for (int d = 0; d < parts.dimension && point.director_of < 0; ++d)
    {
      moment[d] += point.mass * point.position[d];
      facts.lower[d] = std::min(facts.lower[d], point.position[d]);
      facts.upper[d] = std::max(facts.upper[d], point.position[d]);
    }
    mass += point.director_of < 0 ? point.mass : 0.;
  }
  for (int d = 0; d < parts.dimension; ++d)
    facts.centre[d] = moment[d] / mass;
  facts.mass = mass;
  facts.loads.insert(facts.loads.end(), sections.model.force_names.begin(), sections.model.force_names.end());
}

void SolidPoints::write(const State &state, const std::string &file) const
{
  State points;
  points.t = state.t;
  points.q = joint->of_points(state.q);
  points.v = joint->of_points(state.v);
  points.a = joint->of_points(state.a);
  std::string fault;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    try
    {
      write_points(sections.model.parts, points, file);
    }
    catch (const ComputationError &error)
    {
      fault = error.what();
    }
  throw_collectively<ComputationError>(fault);
}
}  // namespace symdyn
