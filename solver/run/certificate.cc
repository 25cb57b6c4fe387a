#include "solver/run/certificate.h"

#include <deal.II/base/config.h>
#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "solver/base/counted.h"
#include "solver/base/lock_owner.h"
#include "solver/base/names.h"
#include "solver/base/sha256.h"
#include "solver/base/units.h"
#include "solver/deck/deck.h"
#include "solver/diagnosis.h"
#include "solver/linear/petsc_options.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
namespace
{
using Json = nlohmann::json;
using BookedMotion = BalanceQuality::Motion;
constexpr double balanced = 0.01, coarse = 0.05;  ///< of the largest energy

/// "2024-05-01T12:00:00Z"
std::string now_in_utc()
{
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// The words of this process (proc(5)), quoted where they hold blanks.
std::string command_line()
{
  std::ifstream in("/proc/self/cmdline");
  std::string text;
  for (std::string word; std::getline(in, word, '\0');)
    text += (text.empty() ? "" : " ") + (word.find_first_of(" '\"") == std::string::npos ? word : Json(word).dump());
  return text;
}

/// 0 where only rounding is left.
double relative_error(const Analysis &analysis, const BookedMotion &motion)
{
  const EnergyBalance &energy = analysis.energy_balance;
  constexpr double rounding = 1e3 * std::numeric_limits<double>::epsilon();
  if (motion.largest_error <= std::max(analysis.system().diagnosis().potential_rounding(), rounding * std::abs(energy.potential())))
    return 0.;
  return motion.largest_error / std::max(energy.scale(), std::numeric_limits<double>::min());
}

/// The motion whose balance is off most, of those that close; nullptr: none does.
const BookedMotion *worst_motion(const Analysis &analysis)
{
  const BookedMotion *worst = nullptr;
  for (const BookedMotion &motion : analysis.quality.motions())
    if (motion.closes && (!worst || !(relative_error(analysis, motion) <= relative_error(analysis, *worst))))
    {
      worst = &motion;
      if (std::isnan(relative_error(analysis, motion)))
        break;
    }
  return worst;
}

/// The static stage with the most energy unaccounted for; nullptr: none has a part of the largest energy that counts.
const BalanceQuality::Leaps *worst_leaps(const Analysis &analysis)
{
  const BalanceQuality::Leaps *worst = nullptr;
  for (const BalanceQuality::Leaps &leaps : analysis.quality.leaps())
    if (leaps.unaccounted >= coarse * analysis.energy_balance.scale() && (!worst || leaps.unaccounted > worst->unaccounted))
      worst = &leaps;
  return worst;
}

std::string percent(const double part) { return fmt::format("{:.2g} %", 100. * part); }

Json over(const double error, const double size) { return size > 0. ? Json(error / size) : Json(); }

Json motion_json(const Analysis &analysis, const BookedMotion &motion)
{
  Json json = {{"stage", motion.stage}, {"scheme", motion.scheme}, {"step", motion.step}};
  if (motion.critical > 0.)
  {
    json["critical step"] = motion.critical;
    json["step over critical step"] = motion.step / motion.critical;
  }
  if (!motion.closes)
    return json;
  json["largest error"] = motion.largest_error;
  json["error over largest energy"] = over(motion.largest_error, analysis.energy_balance.scale());
  json["error over work"] = over(motion.largest_error, motion.largest_work);
  return json;
}
}  // namespace

RunVerdict verdict_of(const Analysis &analysis, const std::string &status)
{
  if (status == "failed")
    return {"doubtful", "the run failed"};
  if (status == "incomplete")
    return {"doubtful", "frequencies have no answer"};
  if (analysis.energy_alarm.raised())
    return {"doubtful", "the energy alarm was raised: the motion is lost"};
  if (const BalanceQuality::Leaps *leaps = worst_leaps(analysis))
    return {"doubtful", fmt::format("stage {}: {} left the path of equilibrium; {:.3g}{} of work has no account, {} of the largest energy",
                                    leaps->stage, counted(leaps->increments, "increment"), leaps->unaccounted,
                                    Units::after(analysis.units.energy), percent(leaps->unaccounted / analysis.energy_balance.scale()))};
  const BookedMotion *worst = worst_motion(analysis);
  if (!worst)
    return {};
  const double error = relative_error(analysis, *worst);
  if (std::isnan(error))
    return {"doubtful", "a law has no energies, so the energy balance is not known"};
  const std::string stage = analysis.quality.motions().size() > 1 ? ", in stage " + worst->stage : "";
  const std::string reason = error == 0. ? "the energy balance closes to rounding"
                                         : fmt::format("largest energy balance error {:.3g}{}, {} of the largest energy{}",
                                                       worst->largest_error, Units::after(analysis.units.energy), percent(error), stage);
  if (error < balanced)
    return {"balanced", reason};
  const std::string way_out = worst->damps ? "; " + worst->scheme + " does not bound the energy" : "; halve \"Time step\"";
  return {error < coarse ? "coarse" : "doubtful", reason + way_out};
}

Json certificate_of(const Analysis &analysis, const RunVerdict &verdict)
{
  Json json = Json::object();
  if (!verdict.word.empty())
    json = {{"verdict", verdict.word}, {"reason", verdict.reason}};
  for (const BalanceQuality::Leaps &leaps : analysis.quality.leaps())
    json["static stages"].push_back(
        {{"stage", leaps.stage}, {"increments off the path", leaps.increments}, {"unaccounted energy", leaps.unaccounted}});
  if (!analysis.quality.motions().empty() || !analysis.quality.leaps().empty())
    json["largest energy"] = analysis.energy_balance.scale();
  for (const BookedMotion &motion : analysis.quality.motions())
    json["motions"].push_back(motion_json(analysis, motion));
  const Json monitors = analysis.monitors.summary();
  if (const auto momenta = monitors.find("canonical momenta"); momenta != monitors.end())
    json["momenta"] = *momenta;
  if (const NewtonReached &newton = analysis.newton.reached(); newton.solutions > 0)
    json["newton"] = {{"solutions", newton.solutions},
                      {"largest residual", newton.residual},
                      {"largest residual over first", newton.relative},
                      {"tolerance", analysis.newton.tolerance}};
  if (const double smallest = analysis.recorder.smallest_determinant; std::isfinite(smallest))
    json["smallest det F"] = smallest;
  return json;
}

Json verified_beside(const std::string &results, const std::string &deck)
{
  namespace fs = std::filesystem;
  fs::path folder = fs::path(results).lexically_normal();
  folder = folder.has_filename() ? folder : folder.parent_path();
  const fs::path file = fs::path(folder.string() + "-verify") / "verify.json";
  std::error_code unknown, absent;
  const auto verified = fs::last_write_time(file, absent), written = fs::last_write_time(deck, unknown);
  if (absent || (!unknown && verified < written))
    return {};
  std::ifstream in(file);
  const Json rows = Json::parse(in, nullptr, false);
  Json schemes = Json::object();
  for (const Json &row : rows.is_array() ? rows : Json::array())
    if (row.is_object() && row.value("property", std::string("control")).rfind("control", 0) != 0)
    {
      Json &count = schemes[row.value("scheme", std::string())][row.value("verdict", std::string())];
      count = count.is_null() ? 1 : count.get<int>() + 1;
    }
  return schemes.empty() ? Json() : Json{{"file", file.string()}, {"verdicts", schemes}};
}

Provenance::Provenance() : started(now_in_utc()) {}

Json Provenance::json(const Deck &deck, const std::vector<std::string> &settings) const
{
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0)
    return Json::object();
  Json json = {
      {"host", host_name()}, {"started", started}, {"ended", now_in_utc()}, {"command line", command_line()}, {"settings", settings}};
  json["versions"] = {
      {"symdyn", SYMDYN_VERSION}, {"deal.II", DEAL_II_PACKAGE_VERSION}, {"PETSc", petsc_version()}, {"compiler", __VERSION__}};
  json["files"] = Json::array();
  std::error_code unknown;
  std::vector<std::string> texts = deck.included();
  if (std::filesystem::is_regular_file(deck.name()))  // a deck may be a text of a program
    texts.insert(texts.begin(), deck.name());
  for (const std::string &text : texts)
    json["files"].push_back({{"file", text}, {"sha256", sha256_of(text)}});
  for (const auto &[name, path] : deck.files())
    if (!std::filesystem::equivalent(path, deck.name(), unknown))  // a mesh may stand in the deck
      json["files"].push_back({{"file", name}, {"sha256", sha256_of(path)}});
  return json;
}
}  // namespace symdyn
