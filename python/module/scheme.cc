#include "python/module/scheme.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <map>
#include <memory>

#include "integrators/equations/balance.h"
#include "python/module/system_in_step.h"
#include "solver/registry.h"
#include "solver/searching.h"

// Time-stepping schemes written in Python.
namespace symdyn::python
{
namespace
{
std::map<std::string, py::object> &types()
{
  static auto *all = new std::map<std::string, py::object>;  // outlives the interpreter
  return *all;
}

/// A step h of a Python class: step(sys, x, h) returns q, v, a at x.t + h.
class PythonScheme : public Integrator
{
public:
  explicit PythonScheme(const std::string &name) : name(name)
  {
    const py::gil_scoped_acquire gil;
    object = types().at(name)();
    const auto is = [&](const char *what) { return object.attr(what).cast<bool>(); };
    promised.order = object.attr("order").cast<int>();
    promised.symplectic = is("symplectic") ? Where::in_qv : Where::nowhere;
    promised.linear_momentum = is("linear_momentum") ? Where::in_qv : Where::nowhere;
    promised.angular_momentum = is("angular_momentum") ? Where::in_qv : Where::nowhere;
    promised.energy = is("energy");
    promised.energy_bounded = is("energy_bounded");
    promised.reversible = is("reversible");
    promised.stable_h_omega = object.attr("stable_h_omega").cast<double>();
    implicit = is("implicit");
    mean_acceleration = is("mean_acceleration");
    if (const py::object point = object.attr("law_point"); !point.is_none())
      of_laws = point.cast<double>();
    const std::string of_work = object.attr("work").cast<std::string>();
    work = of_work == "midpoint"            ? WorkRule::midpoint
           : of_work == "discrete gradient" ? WorkRule::discrete_gradient
                                            : WorkRule::trapezoidal;
  }
  ~PythonScheme() override
  {
    const py::gil_scoped_acquire gil;
    object = py::object();
  }
  void declare(Parameters &) override {}
  void check(const MechanicalSystem &system, const Parameters &) const override
  {
    if (implicit && searching(system))
      throw InputError(fmt::format(
          "scheme '{}' is implicit, and bodies of the deck may touch each other: iterates of sys.solve() could pass through them. Take an "
          "explicit scheme, or one of symdyn's, or remove the section Contact",
          name));
  }
  Promise promise(const MechanicalSystem &) const override { return promised; }
  bool is_explicit() const override { return !implicit; }
  bool carries_acceleration() const override { return !mean_acceleration; }
  std::optional<double> law_point() const override { return of_laws; }
  WorkRule work_rule() const override { return work; }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Vector q = system.new_vector(), v = q, a = q;
    const std::string step_is = step_name(state, state.t + h);
    std::shared_ptr<SystemInStep> sys;
    call_python(fmt::format("scheme '{}' at t = {:.6g}", name, state.t), [&] {
      sys = std::make_shared<SystemInStep>(system, implicit ? newton : nullptr, name, step_is);
      const std::shared_ptr<void> end(nullptr, [sys](void *) { sys->end(); });
      call(sys, state, h, q, v, a);
    });
    if (!sys->failure.empty())
      throw ComputationError(sys->failure);
    Vector own_v = v, own_a = a;
    system.impose(state.t + h, q, implicit ? own_v : v, implicit ? own_a : a);  // implicit schemes have their own formulas for them
    accept(state, h, q, v, a);
    return sys->report;
  }

private:
  void call(const std::shared_ptr<SystemInStep> &sys, const State &state, const double h, Vector &q, Vector &v, Vector &a) const
  {
    const py::object x = py::module_::import("types").attr("SimpleNamespace")(
        py::arg("t") = state.t, py::arg("n") = state.n, py::arg("q") = sys->array(state.q), py::arg("v") = sys->array(state.v),
        py::arg("a") = sys->array(state.a));
    const py::object answer = ask(sys, x, h);
    if (!sys->failure.empty())
      return;
    const std::string what = fmt::format("scheme '{}' at t = {:.6g}: step() returns ", name, state.t);
    const bool several = py::isinstance<py::tuple>(answer) || py::isinstance<py::list>(answer);
    if (!several || py::len(answer) != 3)
      throw ComputationError(
          what +
          (several ? fmt::format("{} values", py::len(answer)) : std::string(py::str(py::type::handle_of(answer).attr("__name__")))) +
          ", expected three: q, v, a");
    sys->read(answer[py::int_(0)], what + "q, which", q);
    sys->read(answer[py::int_(1)], what + "v, which", v);
    sys->read(answer[py::int_(2)], what + "a, which", a);
  }

  /// On several ranks what step() raises ends all of them: others may wait in one of the functions of sys. But for Newton's method: where
  /// it fails it does so on all, and a shorter step may be tried.
  py::object ask(const std::shared_ptr<SystemInStep> &sys, const py::object &x, const double h) const
  {
    sys->failure.clear();
    try
    {
      const py::object answer = object.attr("step")(sys, x, h);
      sys->failure.clear();  // step() has caught it
      return answer;
    }
    catch (py::error_already_set &error)
    {
      if (!sys->failure.empty() && error.matches(py::module_::import("symdyn._errors").attr("ComputationError")))
        return py::none();
      sys->failure.clear();
      if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
        throw;
      error.restore();
      PyErr_Print();
      MPI_Abort(MPI_COMM_WORLD, 1);
      throw;
    }
  }

  std::string name;
  py::object object;
  Promise promised;
  bool implicit = false, mean_acceleration = false;
  std::optional<double> of_laws;
  WorkRule work = WorkRule::trapezoidal;
};
}  // namespace

void register_scheme(const std::string &name, const py::object &type)
{
  auto &registry = Registry<Integrator>::instance();
  if (registry.has(name) && types().count(name) == 0)
    throw InputError("scheme '" + name + "': symdyn has a scheme with this name. Choose another name for the class");
  types()[name] = type;
  if (!registry.has(name))
    registry.add(name, [name] { return std::unique_ptr<Integrator>(new PythonScheme(name)); });
}
}  // namespace symdyn::python
