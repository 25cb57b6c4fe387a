#include "python/module/python_run.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "elements/models/named_sites.h"
#include "elements/system/assembled_system.h"
#include "python/module/mesh.h"
#include "solver/base/log.h"
#include "solver/base/signals.h"
#include "solver/base/together.h"
#include "solver/base/warning_list.h"

namespace symdyn::python
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Ctrl-C is noted while the solver works: Python sees it afterwards.
struct Signals
{
  Signals() { catch_signals(); }
  ~Signals() { release_signals(); }
};

const char *const nowhere = "/dev/null";
bool working = false;  ///< a run computes: what it calls may look at states, and not begin or end anything

void refuse_inside()
{
  if (working)
    throw std::runtime_error("a load or a scheme that a run has called cannot begin, step or close a run");
}

/// The log of an earlier run ends, and what was kept for one that was never written goes.
void end_log()
{
  Log::instance().open(nowhere);
  Log::instance().close();
}
}  // namespace

template <class Work>
auto PythonRun::solve(const Work &work)
{
  refuse_inside();
  working = true;
  WarningList list;
  const std::shared_ptr<void> end(nullptr, [&](void *) {
    working = false;
    warnings.insert(warnings.end(), list.texts.begin(), list.texts.end());
  });
  try
  {
    return without_gil(work, [&] { return whole ? whole->state().t : 0.; });
  }
  catch (...)
  {
    leave_folder();
    throw;
  }
}

void PythonRun::leave_folder()
{
  lock.reset();
  end_log();
}

std::set<PythonRun *> &PythonRun::all()
{
  static std::set<PythonRun *> runs;
  return runs;
}

PythonRun::~PythonRun()
{
  release();
  all().erase(this);
}

void PythonRun::close()
{
  refuse_inside();
  release();
}

void PythonRun::release()
{
  forces.clear();
  lock.reset();
  whole.reset();
}

Run &PythonRun::open() const
{
  if (!whole)
    throw std::runtime_error("this Model is closed");
  return *whole;
}

PythonRun::PythonRun(const std::string &file, const std::vector<std::string> &settings) : settings(settings)
{
  refuse_inside();
  end_log();
  solve([&] {
    deck = std::make_unique<Deck>(Deck::read(file));
    for (const std::string &setting : settings)
      deck->set(setting);
    const std::size_t mine = std::hash<std::string>()(deck->as_prm());
    const auto all = MPI::all_gather(MPI_COMM_WORLD, mine);
    const bool differ = std::any_of(all.begin(), all.end(), [&](const std::size_t other) { return other != all.front(); });
    throw_collectively<InputError>(differ ? file + ": the ranks have different decks or settings. Run one script on all of them" : "");
    for (const std::string &warning : deck->warnings())
      log_warning(warning);
    whole = std::make_unique<Run>(*deck);
    return 0;
  });
  all().insert(this);
}

void PythonRun::build()
{
  solve([&] {
    open().build();
    return 0;
  });
  find_nodes();
}

void PythonRun::find_nodes()
{
  const Space &space = *assembled_system(open().structure()).all_parts().space;
  block = space.block();
  sites.clear();
  for (int site = 0; site < space.owned(); ++site)
    if (!space.is_director(site))
      sites.push_back(site);
}

std::string PythonRun::description()
{
  std::string text;
  solve([&] {
    text = open().description();
    return 0;
  });
  return text;
}

RunOptions PythonRun::options(const std::string &output) const
{
  RunOptions options;
  options.output = output;
  options.deck = std::filesystem::absolute(deck->name());
  options.settings = settings;
  for (const NodalForce &force : forces)
    options.loads.push_back(force.name);
  return options;
}

void PythonRun::start(const std::string &output, const bool overwrite)
{
  const RunOptions given = options(output);
  solve([&] {
    if (!output.empty())
    {
      prepare_folder("output", output, overwrite);
      lock = std::make_unique<RunLock>("output", output);
    }
    else
      Log::instance().open(nowhere);  // else it would keep its lines
    open().start(given);
    return 0;
  });
  find_nodes();
}

void PythonRun::require_finite_forces()
{
  std::string fault;
  for (const NodalForce &one : forces)
    if (!std::all_of(one.array.data(), one.array.data() + one.held.size(), [](const double f) { return std::isfinite(f); }))
      fault = fmt::format("the nodal force '{}' has values that are not finite (NaN or infinite) at t = {:.6g}", one.name, time());
  solve([&] {
    if (MPI::max(int(!fault.empty()), MPI_COMM_WORLD) > 0)
      open().stop();
    throw_collectively<InputError>(fault);
    return 0;
  });
}

void PythonRun::take_forces()
{
  if (forces.empty())
    return;
  require_finite_forces();
  int changed = 0;
  for (NodalForce &one : forces)
  {
    const double *now = one.array.data();
    if (std::equal(one.held.begin(), one.held.end(), now))
      continue;
    changed = 1;
    one.held.assign(now, now + one.held.size());
    *one.force = 0.;
    for (std::size_t k = 0; k < one.sites.size(); ++k)
      for (int d = 0; d < block; ++d)
        one.force->local_element(block * one.sites[k] + d) += one.held[block * k + d];
  }
  solve([&] {
    if (MPI::max(changed, MPI_COMM_WORLD) > 0)
      open().forces_changed();
    return 0;
  });
}

std::string PythonRun::advance()
{
  take_forces();
  const std::string status = solve([&] {
    const Signals signals;
    const Run::Status status = open().advance();
    const bool interrupted = MPI::max(int(signal_came()), MPI_COMM_WORLD) > 0;
    if (interrupted)
      open().stop();
    return std::string(interrupted ? "interrupted" : status == Run::going ? "going" : "done");
  });
  if (status == "interrupted")
    leave_folder();
  return status;
}

void PythonRun::finish()
{
  solve([&] { return open().finish(); });
  leave_folder();
}

void PythonRun::stop()
{
  solve([&] { return open().stop(); });
  leave_folder();
}

bool PythonRun::run(const std::string &output, const bool overwrite)
{
  start(output, overwrite);
  take_forces();
  const bool stopped = solve([&] {
    const Signals signals;
    while (open().advance() == Run::going)
      ;
    const int code = open().finish();
    return code == exit_signal || MPI::max(int(signal_came()), MPI_COMM_WORLD) > 0;  // in the last step, too
  });
  leave_folder();
  return stopped;
}

std::vector<std::string> PythonRun::take_warnings() { return std::exchange(warnings, {}); }

Array PythonRun::positions()
{
  const Space &space = *assembled_system(open().structure()).all_parts().space;
  Array X({py::ssize_t(sites.size()), py::ssize_t(block)});
  double *out = X.mutable_data();
  for (const int site : sites)
    for (int d = 0; d < block; ++d)
      *out++ = space.position(site)[d];
  return X;
}

py::dict PythonRun::mesh() { return mesh_of(open().structure(), sites); }

std::vector<int> PythonRun::nodes(const std::string &name)
{
  std::vector<int> rows;
  for (const int site : named_sites(open().structure(), name))
    rows.push_back(int(std::lower_bound(sites.begin(), sites.end(), site) - sites.begin()));
  return rows;
}

const Vector &PythonRun::vector(const std::string &which) const
{
  const State &state = open().state();
  return which == "displacement" ? state.q : which == "velocity" ? state.v : state.a;
}

Array PythonRun::field(const std::string &which) const
{
  const Vector &x = vector(which);
  Array rows({py::ssize_t(sites.size()), py::ssize_t(block)});
  double *out = rows.mutable_data();
  const bool there = x.size() > 0;  // a is not, before the first step
  for (const int site : sites)
    for (int d = 0; d < block; ++d)
      *out++ = there ? x.local_element(block * site + d) : 0.;
  return rows;
}

std::vector<std::string> PythonRun::write_frame(const std::string &folder)
{
  return solve([&] { return open().structure().write_frame(open().state(), folder, 0); });
}

py::array PythonRun::add_force(const std::string &name, const std::vector<int> &nodes)
{
  py::array_t<double> array({py::ssize_t(nodes.size()), py::ssize_t(block)});
  std::fill(array.mutable_data(), array.mutable_data() + array.size(), 0.);
  attach_force(name, nodes, array);
  return std::move(array);
}

void PythonRun::attach_force(const std::string &name, const std::vector<int> &nodes, const py::array &array)
{
  NodalForce one;
  one.name = name;
  for (const int node : nodes)
  {
    if (node < 0 || std::size_t(node) >= sites.size())
      throw InputError(fmt::format("the nodal force '{}': there is no node {}; there are {}", name, node, sites.size()));
    one.sites.push_back(sites[node]);
  }
  one.array = py::array_t<double>(array);
  one.held.assign(array.size(), 0.);
  const AssembledSystem &system = assembled_system(open().structure());
  one.force = std::make_shared<Vector>(system.new_vector());
  system.all_parts().forces_of_program->push_back(one.force);
  forces.push_back(std::move(one));
}

std::vector<std::string> different_calls(const std::string &call)
{
  if (working)
    return {};
  const py::gil_scoped_release released;
  const std::vector<std::size_t> all = MPI::all_gather(MPI_COMM_WORLD, std::hash<std::string>()(call));
  const bool differ = std::any_of(all.begin(), all.end(), [&](const std::size_t other) { return other != all.front(); });
  return differ ? MPI::all_gather(MPI_COMM_WORLD, call) : std::vector<std::string>();
}

void bind_run(py::module_ &module)
{
  module.def("different_calls", different_calls);
  py::class_<PythonRun>(module, "Run")
      .def(py::init<const std::string &, const std::vector<std::string> &>())
      .def("close", &PythonRun::close)
      .def("build", &PythonRun::build)
      .def("description", &PythonRun::description)
      .def("start", &PythonRun::start)
      .def("advance", &PythonRun::advance)
      .def("finish", &PythonRun::finish)
      .def("stop", &PythonRun::stop)
      .def("run", &PythonRun::run)
      .def("take_warnings", &PythonRun::take_warnings)
      .def("positions", &PythonRun::positions)
      .def("mesh", &PythonRun::mesh)
      .def("nodes", &PythonRun::nodes)
      .def("field", &PythonRun::field)
      .def("write_frame", &PythonRun::write_frame)
      .def("add_force", &PythonRun::add_force)
      .def("attach_force", &PythonRun::attach_force)
      .def_property_readonly("time", &PythonRun::time)
      .def_property_readonly("steps", &PythonRun::steps)
      .def_property_readonly("stage", &PythonRun::stage)
      .def_property_readonly("stem", &PythonRun::stem)
      .def_property_readonly("dimension", &PythonRun::dimension);
}
}  // namespace symdyn::python
