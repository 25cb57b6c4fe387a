#include "solver/run/failed_point_file.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/run/run.h"

namespace symdyn
{
namespace
{
using Json = nlohmann::json;
constexpr const char *kind = "failed point";

/// JSON has no other numbers than finite ones: null stands for infinite lengths, and for what a law does not know.
double number(const Json &value, const double otherwise) { return value.is_null() ? otherwise : value.get<double>(); }
}  // namespace

Deck materials_of(const Deck &deck)
{
  return deck.without([](const std::string &path, const std::string &) {  // Units: of what --set gives with a unit
    return path != "Units" && path != "Materials" && path.rfind("Materials/", 0) != 0;
  });
}

void FailedPointFile::write(const std::string &file) const
{
  Json json = {{"what", kind},
               {"why", point.text},
               {"deck", deck},
               {"materials", materials},
               {"material", point.material},
               {"heated", point.heated},
               {"initial state", point.prestrained},
               {"place", point.place},
               {"increment", point.dt},
               {"F", point.F},
               {"memory", point.memory}};
  std::ofstream out(file);
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';  // names need not be UTF-8
  out.close();
  if (!out)
    throw ComputationError(file + ": cannot be written");
}

std::optional<FailedPointFile> FailedPointFile::read(const std::string &file)
{
  std::ifstream in(file);
  const Json json = Json::parse(in, nullptr, false);
  if (!json.is_object() || json.value("what", Json()) != kind)
    return {};
  try
  {
    FailedPointFile found;
    found.deck = json.at("deck").get<std::string>();
    found.materials = json.at("materials").get<std::string>();
    FailedPoint &point = found.point;
    point.text = json.at("why").get<std::string>();
    point.material = json.at("material").get<std::string>();
    point.heated = json.at("heated").get<bool>();
    point.prestrained = json.at("initial state").get<bool>();
    point.place = json.at("place").get<std::vector<double>>();
    point.dt = number(json.at("increment"), std::numeric_limits<double>::infinity());
    point.F = json.at("F").get<std::array<double, 9>>();
    for (const Json &value : json.at("memory"))
      point.memory.push_back(number(value, std::numeric_limits<double>::quiet_NaN()));
    return found;
  }
  catch (const Json::exception &error)
  {
    throw InputError(fmt::format("{}: is not a whole failed point ({}). Take the file that the run wrote", file, error.what()));
  }
}

/// An earlier failure that a shorter step got over is none of this error.
void Run::write_failed_point(const std::string &error) const
{
  const auto *points = dynamic_cast<const PointDiagnosis *>(&analysis.system().diagnosis());
  if (!points || options.output.empty())
    return;
  const FailedPoint &point = points->failed_point();
  if (point.text.empty() || error.find(point.text) == std::string::npos)
    return;
  const std::string file = analysis.recorder.folder() + "/failed-point.json";
  log_line(fmt::format("the point that failed: {0}; repeat it alone with: symdyn point {0}", file));
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return;
  try
  {
    FailedPointFile{point, std::filesystem::absolute(deck.name()).lexically_normal().string(), materials_of(deck).as_prm()}.write(file);
  }
  catch (const std::exception &lost)  // all ranks still end with the error of the run
  {
    log_warning(lost.what());
  }
}
}  // namespace symdyn
