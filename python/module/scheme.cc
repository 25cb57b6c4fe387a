#include "python/module/scheme.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <map>
#include <memory>

#include "python/module/arrays.h"
#include "solver/base/names.h"
#include "solver/integrator.h"
#include "solver/registry.h"

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

int block_of(const MechanicalSystem &system)
{
  const auto names = system.unknowns().momenta();
  int block = 0;
  for (const std::string &name : names)
    block += name[0] == 'P';
  return block;
}

/// What a step may ask. Empty after the step.
struct SystemInStep
{
  const MechanicalSystem *system = nullptr;
  int block = 3;

  const MechanicalSystem &get() const
  {
    if (!system)
      throw std::runtime_error("sys is for the step that it was given to");
    return *system;
  }
  Vector vector(const py::object &given, const char *name) const
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
  Array acceleration(const double t, const py::object &q, const py::object &v) const
  {
    State state;
    state.t = t;
    state.q = vector(q, "q of sys.acceleration()");
    state.v = vector(v, "v of sys.acceleration()");
    state.a = get().new_vector();
    solve_motion(get(), state);
    return copy_of(state.a, block);
  }
  Array internal_force(const py::object &q) const
  {
    Vector f = get().new_vector();
    get().internal_force(vector(q, "q of sys.internal_force()"), f);
    return copy_of(f, block);
  }
  Array applied_force(const double t, const py::object &q, const py::object &v) const
  {
    Vector f = get().new_vector();
    get().applied_force(t, vector(q, "q of sys.applied_force()"), vector(v, "v of sys.applied_force()"), f);
    return copy_of(f, block);
  }
  Array stiffness(const py::object &q, const py::object &u) const
  {
    Vector f = get().new_vector();
    get().stiffness(vector(q, "q of sys.stiffness()"), vector(u, "u of sys.stiffness()"), f);
    return copy_of(f, block);
  }
  Array mass(const py::object &v) const
  {
    Vector p = get().new_vector();
    get().mass(vector(v, "v of sys.mass()"), p);
    return copy_of(p, block);
  }
  Array mass_solve(const py::object &p) const
  {
    Vector v = get().new_vector();
    get().mass_solve(vector(p, "p of sys.mass_solve()"), v);
    return copy_of(v, block);
  }
  double potential(const py::object &q) const { return get().potential(vector(q, "q of sys.potential()")); }
};

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
    promised.energy_bounded = is("energy_bounded");
    promised.reversible = is("reversible");
    promised.stable_h_omega = object.attr("stable_h_omega").cast<double>();
  }
  ~PythonScheme() override
  {
    const py::gil_scoped_acquire gil;
    object = py::object();
  }
  void declare(Parameters &) override {}
  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &) const override { return promised; }
  bool is_explicit() const override { return true; }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Vector q = system.new_vector(), v = q, a = q;
    call_python(fmt::format("scheme '{}' at t = {:.6g}", name, state.t), [&] { call(system, state, h, q, v, a); });
    system.impose(state.t + h, q, v, a);
    accept(state, h, q, v, a);
    return {};
  }

private:
  void call(const MechanicalSystem &system, const State &state, const double h, Vector &q, Vector &v, Vector &a) const
  {
    const int block = block_of(system);
    const auto seen = std::make_shared<SystemInStep>(SystemInStep{&system, block});
    const std::shared_ptr<void> end(nullptr, [seen](void *) { seen->system = nullptr; });
    const py::object x = py::module_::import("types").attr("SimpleNamespace")(
        py::arg("t") = state.t, py::arg("n") = state.n, py::arg("q") = copy_of(state.q, block), py::arg("v") = copy_of(state.v, block),
        py::arg("a") = copy_of(state.a, block));
    const py::object answer = ask(seen, x, h);
    const std::string what = fmt::format("scheme '{}' at t = {:.6g}: step() returns ", name, state.t);
    const bool several = py::isinstance<py::tuple>(answer) || py::isinstance<py::list>(answer);
    if (!several || py::len(answer) != 3)
      throw ComputationError(
          what +
          (several ? fmt::format("{} values", py::len(answer)) : std::string(py::str(py::type::handle_of(answer).attr("__name__")))) +
          ", expected three: q, v, a");
    copy_to(answer[py::int_(0)], block, what + "q, which", q);
    copy_to(answer[py::int_(1)], block, what + "v, which", v);
    copy_to(answer[py::int_(2)], block, what + "a, which", a);
  }

  /// On several ranks what step() raises ends all of them: others may wait in one of the functions of sys.
  py::object ask(const std::shared_ptr<SystemInStep> &seen, const py::object &x, const double h) const
  {
    try
    {
      return object.attr("step")(seen, x, h);
    }
    catch (py::error_already_set &error)
    {
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

void bind_system(py::module_ &module)
{
  py::class_<SystemInStep, std::shared_ptr<SystemInStep>>(module, "System")
      .def("acceleration", &SystemInStep::acceleration, py::arg("t"), py::arg("q"), py::arg("v"))
      .def("internal_force", &SystemInStep::internal_force, py::arg("q"))
      .def("applied_force", &SystemInStep::applied_force, py::arg("t"), py::arg("q"), py::arg("v"))
      .def("stiffness", &SystemInStep::stiffness, py::arg("q"), py::arg("u"))
      .def("mass", &SystemInStep::mass, py::arg("v"))
      .def("mass_solve", &SystemInStep::mass_solve, py::arg("p"))
      .def("potential", &SystemInStep::potential, py::arg("q"));
}
}  // namespace symdyn::python
