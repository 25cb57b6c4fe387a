#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "solver/base/timer.h"
#include "solver/history.h"
#include "solver/searching.h"
#include "solver/verify/measures.h"

// Orders of resolved motions.
namespace symdyn
{
namespace
{
constexpr int marks = 8, levels = 7;
constexpr double rounding_of_error = 1e-13;

/// The states after 1, 2, ..., 8 parts of `length`, each of n steps.
std::vector<State> states_at_marks(const Trial &trial, const double length, const int n)
{
  State state = trial.start;
  const double h = length / n;
  begin(*About(*trial.system, state), *trial.integrator, state, h);
  std::vector<State> states;
  for (int mark = 0; mark < marks; ++mark)
  {
    for (int k = 0; k < n; ++k)
      advance(*trial.system, *trial.integrator, state, h);
    states.push_back(state);
  }
  return states;
}

/// What is on its way to the promised order has about half its offset when h is halved.
bool stays_off(const double last, const double now, const double tolerance)
{
  constexpr double nearly_half = 0.6, near = 0.5;
  const bool on_the_way = last * now > 0. && std::abs(now) <= nearly_half * std::abs(last) && std::abs(now) < near;
  return std::abs(now) > tolerance && !on_the_way;
}

struct Distance
{
  double q = 0, v = 0;
};

/// Less those of the same trial without damping, if there is one.
std::vector<State> states_at_marks(const Trial &trial, const Trial *without, const int n)
{
  std::vector<State> states = states_at_marks(trial, trial.h, n);
  if (!without)
    return states;
  const std::vector<State> others = states_at_marks(*without, trial.h, n);
  for (int mark = 0; mark < marks; ++mark)
  {
    states[mark].q -= others[mark].q;
    states[mark].v -= others[mark].v;
  }
  return states;
}

double norm_of_error(const MechanicalSystem &system, const std::vector<Vector> &fields)
{
  double sum = 0;
  for (const Vector &field : fields)
    sum += 2. * kinetic_energy(system, field);
  return std::sqrt(sum);
}

/// Of the resolved parts, over all marks.
Distance resolved_distance(const Trial &trial, const std::vector<State> &a, const std::vector<State> &b, const double resolved)
{
  std::vector<Vector> q, v;
  for (int mark = 0; mark < marks; ++mark)
  {
    q.push_back(a[mark].q);
    q.back() -= b[mark].q;
    v.push_back(a[mark].v);
    v.back() -= b[mark].v;
  }
  smooth(*trial.system, resolved, trial.start.q, q);
  smooth(*trial.system, resolved, trial.start.q, v);
  return {norm_of_error(*trial.system, q), norm_of_error(*trial.system, v)};
}
}  // namespace

void begin(const MechanicalSystem &system, const Integrator &integrator, State &state, const double h)
{
  search_about(system, state.q);
  integrator.start(system, state, h);
}

StepReport advance(const MechanicalSystem &system, const Integrator &integrator, State &state, const double h)
{
  if (state.n == 0)
    search_about(system, state.q);
  return step_within_reach(system, state, [&] { return integrator.advance(system, state, h); });
}

TrialClock::TrialClock(const double seconds) : seconds(seconds), begin(ScopedTimer::now()) {}

bool TrialClock::over() const
{
  return std::isfinite(seconds) && dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, int(ScopedTimer::now() - begin > seconds), 0) != 0;
}

double seconds_of_a_step(const Trial &trial)
{
  State state = trial.start;
  begin(*trial.system, *trial.integrator, state, trial.h);
  const double first = ScopedTimer::now();
  advance(*trial.system, *trial.integrator, state, trial.h);
  return dealii::Utilities::MPI::max(ScopedTimer::now() - first, MPI_COMM_WORLD);
}

void smooth(const MechanicalSystem &system, const double h, const Vector &q, std::vector<Vector> &fields)
{
  constexpr int times = 4;
  constexpr double width = 4.;
  Vector r = system.new_vector();
  State there;
  there.q = q;
  const About about(system, there);
  const auto solver = about->factor(M + (width * h) * (width * h) * K, 0., q, r);
  for (Vector &x : fields)
  {
    system.project(x);
    for (int i = 0; i < times; ++i)
    {
      x.update_ghost_values();
      system.mass(x, r);
      system.project(r);
      solver->solve(r, x, 1e-13);
    }
    x.update_ghost_values();
  }
}

MeasuredOrder measured_order(const Trial &trial, const double expected, const double tolerance, const double resolved, const Trial *without)
{
  const double T = marks * trial.h;
  const double travelled = norm_of_error(*trial.system, {trial.start.v}) * T + norm_of_error(*trial.system, {trial.start.q}),
               speed = travelled / T;
  MeasuredOrder order;
  double nearest = std::numeric_limits<double>::infinity(), last_q = nearest, last_v = nearest;
  Distance last;
  std::vector<State> coarse = states_at_marks(trial, without, 1);
  const TrialClock clock(trial.seconds);
  for (int level = 1; level < levels; ++level)
  {
    std::vector<State> fine = states_at_marks(trial, without, 1 << level);
    const Distance distance = resolved_distance(trial, coarse, fine, resolved);
    coarse = std::move(fine);
    if (level > 2 && (distance.q < rounding_of_error * travelled || distance.v < rounding_of_error * speed))
      order.remark = "then rounding";
    else if (distance.q == 0. || distance.v == 0.)
      order.remark = "no error is left";
    else if (level > 2 && clock.over())
      order.remark = "then the time was over";
    if (!order.remark.empty())
      break;
    if (level > 1)
    {
      const double q = std::log2(last.q / distance.q), v = std::log2(last.v / distance.v);
      const double off = std::max(std::abs(q - expected), std::abs(v - expected));
      if (off < nearest)
        order = {q, v, trial.h / (1 << (level - 2)), ""};
      nearest = std::min(nearest, off);
      order.stays_off =
          level > 2 && (stays_off(last_q - expected, q - expected, tolerance) || stays_off(last_v - expected, v - expected, tolerance));
      last_q = q;
      last_v = v;
      if (off <= tolerance)
        break;
    }
    last = distance;
  }
  return order;
}
}  // namespace symdyn
