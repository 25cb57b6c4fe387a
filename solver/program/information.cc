#include "solver/program/information.h"

#include <deal.II/base/config.h>
#include <deal.II/base/mpi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "solver/base/lock_owner.h"
#include "solver/base/memory_usage.h"
#include "solver/base/names.h"
#include "solver/base/program_path.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/integrator.h"
#include "solver/linear/petsc_options.h"
#include "solver/registry.h"
#include "solver/verify/particles.h"

namespace symdyn
{
namespace
{
using Row = std::vector<std::string>;

std::string where_kept(const Where where) { return where == Where::in_qv ? "yes" : where == Where::canonical_h ? "x" : "no"; }

/// Whether the scheme accepts a system: its own check says so.
bool accepts(const Integrator &scheme, const MechanicalSystem &system, const Parameters &p)
{
  try
  {
    scheme.check(system, p);
    return true;
  }
  catch (const InputError &)
  {
    return false;
  }
}

/// Of two particles in the plane, where promises depend on a system.
Row row_of_scheme(const std::string &name)
{
  const Particles free = Particles::ring_well(1., 2.), damped = Particles::ring_well(1., 2., 0.1);
  const std::unique_ptr<Integrator> scheme = Registry<Integrator>::instance().make(name);
  Deck deck;
  Parameters p(deck, "Integrator/" + name);
  scheme->declare(p);
  const Newton newton;
  scheme->newton = &newton;
  const Promise promise = scheme->promise(free);
  const auto yes = [](const bool is) { return std::string(is ? "yes" : "no"); };
  return {name,
          promise.order > 0 ? std::to_string(promise.order) : "-",
          where_kept(promise.symplectic),
          where_kept(promise.linear_momentum),
          where_kept(promise.angular_momentum),
          promise.energy           ? "kept"
          : promise.energy_bounded ? "band"
                                   : "no",
          yes(promise.reversible),
          std::isinf(promise.stable_h_omega) ? "any" : fmt::format("{:.3g}", promise.stable_h_omega),
          scheme->is_explicit() ? "none" : "equations",
          !accepts(*scheme, free, p) ? "-" : yes(accepts(*scheme, damped, p)),
          yes(scheme->keeps_constraints()),
          yes(scheme->law_point().has_value() || scheme->divides())};
}

std::string in_columns(const std::vector<Row> &rows)
{
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row &row : rows)
  {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], widths[i] + 2);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string render_program()
{
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path &program : {here / "symdyn-render", here / "../libexec/symdyn/symdyn-render"})
    if (access(program.c_str(), X_OK) == 0)
      return program;
  return "";
}

/// The name of the BLAS in use, as OpenBLAS tells it.
std::string blas_in_use()
{
  if (void *config = dlsym(RTLD_DEFAULT, "openblas_get_config"))
    return trim(reinterpret_cast<const char *(*)()>(config)());
  return "not OpenBLAS: MUMPS is 3 to 6 times slower with the reference BLAS. Install libopenblas0";
}

std::string version_of_mpi()
{
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, std::size_t(length));
  return version.substr(0, version.find(','));
}

nlohmann::ordered_json facts_of_machine()
{
  constexpr double GiB = 1024. * 1024. * 1024.;
  std::error_code error;
  const std::filesystem::space_info disk = std::filesystem::space(".", error);
  const double memory = available_memory();
  nlohmann::ordered_json json;
  json["versions"] = {{"symdyn", SYMDYN_VERSION}, {"deal.II", DEAL_II_PACKAGE_VERSION},
                      {"PETSc", petsc_version()}, {"MPI", version_of_mpi()},
                      {"BLAS", blas_in_use()},    {"compiler", __VERSION__}};
  json["machine"] = {{"host", host_name()},
                     {"processors", std::thread::hardware_concurrency()},
                     {"threads of BLAS a rank", 1},
                     {"available memory GiB", std::isfinite(memory) ? nlohmann::ordered_json(memory / GiB) : nullptr},
                     {"free disk GiB", error ? nullptr : nlohmann::ordered_json(double(disk.available) / GiB)},
                     {"working folder", std::filesystem::current_path(error).string()},
                     {"working folder is writable", access(".", W_OK) == 0}};
  json["programs"]["symdyn-render"] = render_program();
  for (const char *name : {"mpirun", "Xvfb", "ffmpeg", "gmsh", "paraview"})
    json["programs"][name] = program_of_path(name);
  return json;
}

/// What a program that is not there is for.
std::string use_of(const std::string &program)
{
  if (program == "symdyn-render")
    return "commands that read results: compare, plot, render, report, sweep. Build or install symdyn again";
  if (program == "mpirun")
    return "runs on several ranks. Install openmpi-bin";
  if (program == "Xvfb")
    return "pictures of `symdyn render` without a screen. Install xvfb and xauth";
  if (program == "ffmpeg")
    return "films (.mp4, .webm) of `symdyn render`; GIF needs no program. Install ffmpeg";
  return program == "gmsh" ? "making meshes (.msh)" : "looking at results (.pvd)";
}
}  // namespace

std::string scheme_table()
{
  std::vector<Row> rows{{"scheme", "order", "symplectic", "P", "J", "energy", "reversible", "stable h omega", "a step solves", "damping",
                         "constraints", "laws with memory"}};
  for (const std::string &name : Registry<Integrator>::instance().names())
    rows.push_back(row_of_scheme(name));
  return in_columns(rows) +
         "\nWith default parameters, without damping. P, J: linear and angular momentum. x: in the variables of the scheme, which depend on "
         "h.\nEnergy: kept in each step, or within a band. Explicit schemes (a step solves none) need Elements/Mass = lumped.\n"
         "Damping -: the scheme is for models of one kind alone (constraints, a law, a heat bath).\n"
         "`symdyn verify DECK --scheme NAME` measures these on a model.\n";
}

std::string diagnosis_of_machine(const bool json, bool &faults)
{
  const nlohmann::ordered_json facts = facts_of_machine();
  faults = facts["programs"]["symdyn-render"] == "" || facts["machine"]["working folder is writable"] == false;
  if (json)
    return facts.dump(2) + "\n";
  std::vector<Row> rows;
  for (const char *part : {"versions", "machine"})
    for (const auto &[name, value] : facts[part].items())
      rows.push_back({name, value.is_number_float() ? fmt::format("{:.1f}", value.get<double>())
                            : value.is_string()     ? value.get<std::string>()
                            : value.is_boolean()    ? (value ? "yes" : "no")
                            : value.is_null()       ? "unknown"
                                                    : value.dump()});
  for (const auto &[name, path] : facts["programs"].items())
    rows.push_back({name, path == "" ? "not found. It is for " + use_of(name) : path.get<std::string>()});
  return in_columns(rows);
}
}  // namespace symdyn
