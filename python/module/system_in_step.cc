#include "python/module/system_in_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/newton.h"
#include "solver/program_error.h"
#include "solver/unknowns.h"

namespace symdyn::python
{
int block_of(const MechanicalSystem &system)
{
  const auto names = system.unknowns().momenta();
  return int(std::count_if(names.begin(), names.end(), [](const std::string &name) { return name[0] == 'P'; }));
}

const MechanicalSystem &SystemInStep::get() const
{
  if (!system)
    throw std::runtime_error("sys is for the step that it was given to");
  return *system;
}

Vector SystemInStep::vector(const py::object &given, const std::string &name) const
{
  Vector x = get().new_vector();
  std::string fault;
  try
  {
    copy_to(given, block, name, x);
  }
  catch (const ComputationError &error)
  {
    fault = error.what();
  }
  fail_together(fault);  // before other ranks wait for the values of this one
  x.update_ghost_values();
  return x;
}

void SystemInStep::judge(const ForceReport &force)
{
  worst.smallest = std::min(worst.smallest, force.smallest);
  if (force.communicator != MPI_COMM_SELF)
    worst.communicator = force.communicator;
}

Array SystemInStep::acceleration(const double t, const py::object &q, const py::object &v) const
{
  State state;
  state.t = t;
  state.q = vector(q, "q of sys.acceleration()");
  state.v = vector(v, "v of sys.acceleration()");
  state.a = get().new_vector();
  solve_motion(get(), state);
  return array(state.a);
}

Array SystemInStep::internal_force(const py::object &q)
{
  Vector f = get().new_vector();
  judge(get().internal_force(last_q = vector(q, "q of sys.internal_force()"), f));
  return array(f);
}

Array SystemInStep::discrete_gradient(const py::object &q0, const py::object &q1)
{
  Vector f = get().new_vector();
  last_q = vector(q1, "q1 of sys.discrete_gradient()");
  judge(get().discrete_gradient(vector(q0, "q0 of sys.discrete_gradient()"), last_q, f));
  return array(f);
}

Array SystemInStep::applied_force(const double t, const py::object &q, const py::object &v) const
{
  Vector f = get().new_vector();
  get().applied_force(t, vector(q, "q of sys.applied_force()"), vector(v, "v of sys.applied_force()"), f);
  return array(f);
}

Array SystemInStep::damping_force(const py::object &q, const py::object &v) const
{
  Vector f = get().new_vector();
  if (get().has(Feature::damping))
    get().damping_force(vector(q, "q of sys.damping_force()"), vector(v, "v of sys.damping_force()"), f);
  return array(f);
}

Array SystemInStep::force(const double t, const py::object &q, const py::object &v)
{
  last_q = vector(q, "q of sys.force()");
  const Vector velocity = vector(v, "v of sys.force()");
  Vector f = get().new_vector(), part = f;
  get().applied_force(t, last_q, velocity, f);
  judge(get().internal_force(last_q, part));
  f -= part;
  if (get().has(Feature::damping))
  {
    get().damping_force(last_q, velocity, part);
    f -= part;
  }
  return array(f);
}

Array SystemInStep::stiffness(const py::object &q, const py::object &u) const
{
  Vector f = get().new_vector();
  get().stiffness(vector(q, "q of sys.stiffness()"), vector(u, "u of sys.stiffness()"), f);
  return array(f);
}

Array SystemInStep::mass(const py::object &v) const
{
  Vector p = get().new_vector();
  get().mass(vector(v, "v of sys.mass()"), p);
  return array(p);
}

Array SystemInStep::mass_solve(const py::object &p) const
{
  Vector v = get().new_vector();
  get().mass_solve(vector(p, "p of sys.mass_solve()"), v);
  return array(v);
}

double SystemInStep::potential(const py::object &q) const { return get().potential(vector(q, "q of sys.potential()")); }

py::tuple SystemInStep::impose(const double t, const py::object &q, const py::object &v, const py::object &a) const
{
  Vector q1 = vector(q, "q of sys.impose()"), v1 = vector(v, "v of sys.impose()"), a1 = vector(a, "a of sys.impose()");
  get().impose(t, q1, v1, a1);
  return py::make_tuple(array(q1), array(v1), array(a1));
}

void SystemInStep::require_implicit(const char *what) const
{
  get();
  if (!newton)
    throw InputError(
        fmt::format("scheme '{}': {} solves equations, but the class says implicit = False. Set implicit = True", scheme, what));
}

std::shared_ptr<FactorInStep> SystemInStep::factor(const double t, const py::object &q, const py::object &v, const double m, const double c,
                                                   const double k, const py::object &start)
{
  require_implicit("sys.factor()");
  auto made = std::make_shared<FactorInStep>();
  made->q = vector(q, "q of sys.factor()");
  made->v = vector(v, "v of sys.factor()");
  if (!start.is_none())
    made->start = vector(start, "start of sys.factor()");
  made->solver = get().factor({{m * M + c * C + k * K, t, &made->q, &made->v, start.is_none() ? nullptr : &made->start}});
  made->system = shared_from_this();
  made->number = ++factors;
  return made;
}

Array FactorInStep::solve(const py::object &r) const
{
  const MechanicalSystem &of = system->get();
  if (number != system->factors)
    throw std::runtime_error("this factor is of an earlier call of sys.factor(): solve with the latest one");
  Vector right = system->vector(r, "r of solve()"), x = of.new_vector();
  of.project(right);
  system->report.krylov += solver->solve(right, x, solver->tolerance());
  return system->array(x);
}

Array SystemInStep::solve(const py::function &residual, const py::function &tangent, const py::object &guess)
{
  require_implicit("sys.solve()");
  Vector x = vector(guess, "guess of sys.solve()");
  std::shared_ptr<FactorInStep> latest;
  NewtonProblem problem;
  problem.name = step;
  problem.residual = [&](const Vector &trial, Vector &r) {
    worst = {};
    r = vector(residual(array(trial)), fmt::format("scheme '{}': residual() of sys.solve() returns an array, which", scheme));
    get().project(r);
    return worst;
  };
  problem.linearise = [&](const Vector &trial) -> std::shared_ptr<const LinearSolve> {
    const py::object made = tangent(array(trial));
    if (!py::isinstance<FactorInStep>(made))
      throw ProgramError(fmt::format("scheme '{}': tangent() of sys.solve() returns what sys.factor() makes, not {}", scheme,
                                     std::string(py::str(py::type::handle_of(made).attr("__name__")))));
    latest = made.cast<std::shared_ptr<FactorInStep>>();
    return latest->solver;
  };
  problem.norm = [&](const Vector &r) { return get().unknowns().norm(r); };
  problem.rounding = [&](const LinearSolve &linear, const Vector &) { return latest ? linear.rounding(latest->q) : 0.; };
  problem.diagnose = [&](const Vector &) { return last_q.size() > 0 ? diagnose(get(), last_q) : std::string(); };
  try
  {
    const NewtonReport made = newton->solve(problem, x);
    report.newton += made.iterations;
    report.krylov += made.krylov;
  }
  catch (const ProgramError &)
  {
    throw;
  }
  catch (const ComputationError &error)
  {
    failure = error.what();
    throw;
  }
  return array(x);
}

void bind_system(py::module_ &module)
{
  py::class_<FactorInStep, std::shared_ptr<FactorInStep>>(module, "Factor").def("solve", &FactorInStep::solve, py::arg("r"));
  py::class_<SystemInStep, std::shared_ptr<SystemInStep>>(module, "System")
      .def("acceleration", &SystemInStep::acceleration, py::arg("t"), py::arg("q"), py::arg("v"))
      .def("internal_force", &SystemInStep::internal_force, py::arg("q"))
      .def("discrete_gradient", &SystemInStep::discrete_gradient, py::arg("q0"), py::arg("q1"))
      .def("applied_force", &SystemInStep::applied_force, py::arg("t"), py::arg("q"), py::arg("v"))
      .def("damping_force", &SystemInStep::damping_force, py::arg("q"), py::arg("v"))
      .def("force", &SystemInStep::force, py::arg("t"), py::arg("q"), py::arg("v"))
      .def("stiffness", &SystemInStep::stiffness, py::arg("q"), py::arg("u"))
      .def("mass", &SystemInStep::mass, py::arg("v"))
      .def("mass_solve", &SystemInStep::mass_solve, py::arg("p"))
      .def("potential", &SystemInStep::potential, py::arg("q"))
      .def("impose", &SystemInStep::impose, py::arg("t"), py::arg("q"), py::arg("v"), py::arg("a"))
      .def("factor", &SystemInStep::factor, py::arg("t"), py::arg("q"), py::arg("v"), py::kw_only(), py::arg("m") = 0., py::arg("c") = 0.,
           py::arg("k") = 0., py::arg("start") = py::none())
      .def("solve", &SystemInStep::solve, py::arg("residual"), py::arg("tangent"), py::arg("guess"));
}
}  // namespace symdyn::python
