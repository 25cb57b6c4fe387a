#include <deal.II/base/mpi.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <memory>

#include "python/module/arrays.h"
#include "python/module/functions.h"
#include "python/module/python_run.h"
#include "python/module/scheme.h"
#include "python/module/system_in_step.h"
#include "solver/base/log.h"
#include "solver/deck/formula/expression.h"
#include "solver/integrator.h"
#include "solver/program/commands.h"
#include "solver/program/one_rank.h"
#include "solver/registry.h"
#include "solver/verify/verify.h"

// The module symdyn._core: what the package symdyn asks of the library.
namespace symdyn::python
{
namespace
{
using MpiSession = dealii::Utilities::MPI::MPI_InitFinalize;

MpiSession *&session()
{
  static MpiSession *now = nullptr;
  return now;
}

/// Once, before anything else. Errors: InputError where somebody else has started MPI, without what PETSc needs.
void start_mpi()
{
  if (session())
    return;
  int runs = 0;
  MPI_Initialized(&runs);
  if (runs)
    throw InputError("MPI runs already: use symdyn before `from mpi4py import MPI`, or set mpi4py.rc.initialize = False");
  prepare_for_one_rank();
  int count = 0;
  char **words = nullptr;
  session() = new MpiSession(count, words, 1);
  limit_threads();
}

void end_mpi()
{
  for (PythonRun *run : PythonRun::all())
    run->close();
  delete session();
  session() = nullptr;
}

int verify(const std::string &file, const std::vector<std::string> &settings, const std::string &scheme, const int steps,
           const std::string &report, const bool overwrite)
{
  return without_gil(
      [&] {
        Deck deck = Deck::read(file);
        for (const std::string &setting : settings)
          deck.set(setting);
        return Verification(deck, {scheme, steps, report, overwrite}).run();
      },
      [] { return 0.; });
}

Array evaluate(const Expression &expression, const Array &variables)
{
  const std::size_t columns = expression.variables().size(), rows = variables.size() / std::max<std::size_t>(columns, 1);
  Array values({py::ssize_t(rows)});
  for (std::size_t k = 0; k < rows; ++k)
    values.mutable_data()[k] = expression(variables.data() + k * columns);
  return values;
}
}  // namespace
}  // namespace symdyn::python

PYBIND11_MODULE(_core, module)
{
  using namespace symdyn;
  using namespace symdyn::python;
  add_errors();
  bind_run(module);
  bind_system(module);
  module.attr("version") = SYMDYN_VERSION;
  module.def("start_mpi", start_mpi);
  module.def("end_mpi", end_mpi);
  module.def("abort", [](const int code) { MPI_Abort(MPI_COMM_WORLD, code); });
  module.def("rank", [] { return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD); });
  module.def("ranks", [] { return dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD); });
  module.def("quiet", [](const bool yes) { Log::instance().quiet(yes); });
  module.def("set_function", [](const std::string &name, const py::object &function) { functions()[name] = function; });
  module.def("register_scheme", register_scheme);
  module.def("schemes", [] { return Registry<Integrator>::instance().names(); });
  module.def("parameters", [] { return deck_reference(ReferenceFormat::json); });
  module.def("verify", verify);
  module.def("empty", empty);
  py::class_<Expression>(module, "Expression")
      .def(py::init<const std::string &, const std::vector<std::string> &>())
      .def("evaluate", evaluate)
      .def_property_readonly("text", &Expression::text)
      .def_property_readonly("variables", &Expression::variables);
}
