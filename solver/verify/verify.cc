#include "solver/verify/verify.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/run/run_lock.h"
#include "solver/verify/memory.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr std::size_t most_dofs_of_all = 500, most_dofs_of_one = 1000;
constexpr int fewest_steps = 10;
constexpr double seconds_of_a_run = 10.;  ///< where there are many schemes

bool is_root() { return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0; }

void say(const std::string &text, std::FILE *where = stdout)
{
  if (!is_root())
    return;
  std::fputs(text.c_str(), where);
  std::fflush(where);
}

void write(const fs::path &file, const std::string &text)
{
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out)
    throw ComputationError(file.string() + ": cannot be written");
}
}  // namespace

Verification::Verification(const Deck &given, const VerifyOptions &wanted) : deck(given), options(wanted)
{
  if (options.steps < fewest_steps)
    throw InputError(fmt::format("--steps {}: at least {} are needed to see a drift", options.steps, fewest_steps));
  const auto &registry = Registry<Integrator>::instance();
  const bool all = options.scheme == "all";
  if (!all && !options.scheme.empty() && !registry.has(options.scheme))
  {
    const std::vector<std::string> sorted = nearest_first(options.scheme, registry.names());
    throw InputError(
        fmt::format("--scheme {}: no such scheme. Did you mean {} or {} or {}? `all` tests every scheme; `symdyn parameters` lists them",
                    options.scheme, sorted.at(0), sorted.at(1), sorted.at(2)));
  }
  prepare_folder("--report", options.report, options.overwrite);
  most_dofs = all ? most_dofs_of_all : most_dofs_of_one;
  subject = std::make_unique<VerifySubject>(deck, most_dofs, false);
  schemes = all ? registry.names() : std::vector<std::string>{options.scheme.empty() ? subject->own_scheme : options.scheme};
}

void Verification::add(std::vector<Finding> found)
{
  findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

bool Verification::allowed(const std::string &scheme, const MechanicalSystem &(VerifySubject::*system)() const, VerifySubject *&where,
                           std::unique_ptr<Integrator> &integrator, std::string &why)
{
  where = subject.get();
  try
  {
    integrator = where->scheme(scheme, (where->*system)());
    return true;
  }
  catch (const InputError &error)
  {
    why = error.what();
  }
  if (subject->undamped().has(Feature::nodal_mass))
    return false;
  if (!lumped)
    lumped = std::make_unique<VerifySubject>(deck, most_dofs, true);
  where = lumped.get();
  try
  {
    integrator = where->scheme(scheme, (where->*system)());
    return true;
  }
  catch (const InputError &)
  {
    return false;  // `why` speaks of the deck as it is
  }
}

void Verification::verify(const std::string &scheme)
{
  VerifySubject *where = nullptr;
  std::unique_ptr<Integrator> integrator, damped;
  std::string why;
  if (!allowed(scheme, &VerifySubject::undamped, where, integrator, why))
  {
    add({{scheme, "scheme", false, Verdict::not_applicable, std::nan(""), std::nan(""), why}});
    return;
  }
  const int steps = std::max(fewest_steps, int(options.steps * where->steps_factor));
  SchemeCheck check(scheme, *integrator, *where, steps, schemes.size() > 1 ? seconds_of_a_run : std::numeric_limits<double>::infinity());
  check.run();
  if (where == lumped.get())
    check.findings.push_back(
        {scheme, "scheme", false, Verdict::not_applicable, std::nan(""), std::nan(""), "on the lumped mass, which it needs"});
  if (subject->damped().has(Feature::damping))
  {
    VerifySubject *damped_where = nullptr;
    if (allowed(scheme, &VerifySubject::damped, damped_where, damped, why) && damped_where == where)
      check.run_damped(*damped);
    else
      check.findings.push_back({scheme, "damping monotone", false, Verdict::not_applicable, std::nan(""), std::nan(""), why});
  }
  if (const MechanicalSystem *system = where->remembering_system())
    add_memory(scheme, *integrator, *where, *system, steps);
  add(check.findings);
  histories.push_back(std::move(check.history));
}

void Verification::add_memory(const std::string &scheme, Integrator &integrator, const VerifySubject &where, const MechanicalSystem &system,
                              const int steps)
{
  std::string why;
  if (where.start.v.l2_norm() == 0.)
    why = "the body is at rest";
  for (const auto &[feature, what] :
       {std::pair{Feature::damping, "dampers"}, {Feature::loads, "loads"}, {Feature::moving_supports, "supports that move"}})
    if (system.has(feature))
      why = std::string("the deck has ") + what + ", whose work the rows of memories do not count";
  if (!why.empty())
    return add({{scheme, "second law", true, Verdict::not_applicable, std::nan(""), std::nan(""), why}});
  Trial trial;
  trial.system = &system;
  trial.keeps = where.keeps();
  trial.integrator = &integrator;
  trial.start = where.start;
  trial.start.history = where.start_history();
  trial.h = where.step_for(integrator, where.undamped());
  trial.steps = steps;
  add(MemoryCheck(scheme, integrator, trial, &where.other_starts).run());
}

int Verification::run()
{
  const double begin = ScopedTimer::now();
  for (std::size_t k = 0; k < schemes.size(); ++k)
  {
    const double start = ScopedTimer::now();
    verify(schemes[k]);
    say(fmt::format("{} ({} of {}): {:.1f} s\n", schemes[k], k + 1, schemes.size(), ScopedTimer::now() - start), stderr);
  }
  if (schemes.size() == 1 && findings.size() == 1 && findings.front().verdict == Verdict::not_applicable)
    throw InputError(findings.front().reason);  // refused: nothing was proved
  controls = run_controls();
  if (subject->remembering_system())
  {
    std::vector<Finding> more = run_memory_controls();
    controls.insert(controls.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  const VerifyReport report{deck.name(), subject->remarks, findings, controls, histories, subject->h, options.steps, subject->dofs};
  say(report.terminal(schemes.size() > 1));
  if (is_root())
  {
    const fs::path folder = options.report;
    for (const char *name : {"energy.svg", "energy-size.svg", "linear-momentum.svg", "angular-momentum.svg", "form.svg"})
      fs::remove(folder / name);  // of an earlier report, which may have had plots that this one has not
    write(folder / "verify.json", report.json());
    write(folder / "index.html", report.page());
    for (const auto &[name, svg] : report.plots())
      write(folder / name, svg);
  }
  const auto broken = [](const Finding &finding) { return finding.verdict == Verdict::broken; };
  const long count = std::count_if(findings.begin(), findings.end(), broken),
             wrong = std::count_if(controls.begin(), controls.end(), broken);
  say(fmt::format("\n{} promises broken, {} controls not as they must be; {:.0f} s; report in {}/index.html\n", count, wrong,
                  ScopedTimer::now() - begin, options.report));
  return count + wrong > 0 ? exit_promise : exit_done;
}
}  // namespace symdyn
