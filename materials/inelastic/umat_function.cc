#include "materials/inelastic/umat_function.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "solver/base/log.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Arguments in the order of the manual; the last one is the hidden length of CMNAME.
using Call = void (*)(double *STRESS, double *STATEV, double *DDSDDE, double *SSE, double *SPD, double *SCD, double *RPL, double *DDSDDT,
                      double *DRPLDE, double *DRPLDT, double *STRAN, double *DSTRAN, double *TIME, double *DTIME, double *TEMP,
                      double *DTEMP, double *PREDEF, double *DPRED, char *CMNAME, int *NDI, int *NSHR, int *NTENS, int *NSTATV,
                      double *PROPS, int *NPROPS, double *COORDS, double *DROT, double *PNEWDT, double *CELENT, double *DFGRD0,
                      double *DFGRD1, int *NOEL, int *NPT, int *LAYER, int *KSPT, int *JSTEP, int *KINC, std::size_t length);

constexpr std::size_t name_length = 80;

/// By columns, as Fortran has matrices.
std::array<double, 9> by_columns(const UmatPoint::Gradient &F)
{
  std::array<double, 9> columns{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      columns[3 * j + i] = F[i][j];
  return columns;
}
}  // namespace

void UmatFunction::declare(Parameters &p)
{
  p.add("Library", library, "shared library with the function, relative to the deck; built with -shared -fPIC");
  p.add("Function", name, "name of the function in the library; gfortran adds an underscore: SUBROUTINE UMAT is umat_");
  p.add("Constants", constants, "PROPS of the function, a list");
  p.add("State variables", states, "NSTATV of the function, which begin at 0", between(0, 10000));
}

void UmatFunction::load(const Parameters &p)
{
  if (!p.given("Library"))
    p.fail("Library", "a law of users needs it: the shared library with its function. Add set Library = FILE.so, or --set \"" + p.path() +
                          "/Library=FILE.so\"");
  const std::string file = std::filesystem::absolute(p.file_path(library)).lexically_normal();
  if (!std::filesystem::exists(file))
    p.fail("Library", "there is no file " + file + ". Build it there, or give its path relative to the deck");
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    p.fail("Library", std::string("cannot be loaded: ") + dlerror() + ". Build it as a shared library with -fPIC");
  function = reinterpret_cast<void (*)()>(dlsym(handle, name.c_str()));
  if (!function)
    p.fail("Function", "is not in " + file + ". List its functions with nm -D, and give one of them");
  static std::set<std::string> said;
  if (said.insert(p.path() + file + name).second)
    log_line(p.path() + ": " + name + " of " + file);
}

void UmatFunction::operator()(UmatPoint &point) const
{
  constexpr double undemanding = 1e6;  // what PNEWDT is before the call
  double columns[36] = {}, heat = 0, heat_rate[6] = {}, heat_strain[6] = {}, heat_temperature = 0, temperature = point.temperature,
         change = point.heating, field = 0, of_field = 0, coordinates[3] = {}, size = 0, suggested = undemanding;
  double time[2] = {point.time, point.time}, dt = point.dt, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  auto F0 = by_columns(point.F0), F1 = by_columns(point.F1);
  char material[name_length];
  std::fill_n(material, name_length, ' ');
  std::copy_n("UMAT", 4, material);
  int direct = 3, shear = 3, all = 6, count = states, properties = int(constants.size()), element = 1, quadrature_point = 1, layer = 1,
      section = 1, step[4] = {1, 1, 0, 0}, increment = point.number;
  std::vector<double> PROPS = constants, STATEV = point.state;
  // Functions index arrays from their first entry even where there is none.
  PROPS.resize(std::max<std::size_t>(1, PROPS.size()));
  STATEV.resize(std::max<std::size_t>(1, STATEV.size()));
  reinterpret_cast<Call>(function)(point.stress.data(), STATEV.data(), columns, &point.elastic, &point.plastic, &point.creep, &heat,
                                   heat_rate, heat_strain, &heat_temperature, point.strain.data(), point.growth.data(), time, &dt,
                                   &temperature, &change, &field, &of_field, material, &direct, &shear, &all, &count, PROPS.data(),
                                   &properties, coordinates, identity, &suggested, &size, F0.data(), F1.data(), &element, &quadrature_point,
                                   &layer, &section, step, &increment, name_length);
  std::copy_n(STATEV.begin(), point.state.size(), point.state.begin());
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      point.moduli[i][j] = columns[6 * j + i];
  point.failed = suggested < 1.;
}
}  // namespace symdyn
