#include "solver/stages/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace symdyn
{
Analysis::Analysis() : found(std::make_shared<nlohmann::json>(nlohmann::json::object())) {}

void Analysis::look_at_state()
{
  const Remembering *laws = remembering(structure->system());
  seen = laws ? laws->at(state) : nullptr;
}

long TimeStepping::steps() const { return step > 0. ? std::lround((end - start) / step) : std::numeric_limits<long>::max(); }

double Stage::frame_time(const Analysis &analysis) const { return analysis.state.t; }

std::vector<bool> chosen(const std::vector<std::string> &entry, const std::vector<std::string> &names)
{
  const bool all = entry.empty() || entry.front() == "all";
  std::vector<bool> mark;
  for (const std::string &name : names)
    mark.push_back(all || std::count(entry.begin(), entry.end(), name) > 0);
  return mark;
}

std::vector<std::string> marked(const std::vector<std::string> &names, const std::vector<bool> &mark)
{
  std::vector<std::string> some;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (mark[i])
      some.push_back(names[i]);
  return some;
}

std::string how_it_comes(const Stage &stage) { return stage.traits().ramps ? "over the stage" : "at once"; }

bool Analysis::moves() const
{
  return std::any_of(stages.begin(), stages.end(), [](const auto &stage) { return stage->traits().in_time; });
}

const Stage &Analysis::state_before(const Stage &stage) const
{
  const Stage *last = stages.front().get();
  for (auto before = stages.begin(); before->get() != &stage; ++before)
    if (!(*before)->traits().perturbation)
      last = before->get();
  return *last;
}

void Analysis::open_balance(const State &booked, const bool statics)
{
  balance_open ? energy_balance.restart(system(), booked, statics) : energy_balance.start(system(), booked, statics);
  balance_open = true;
}

void Analysis::record(const Stage &stage, const double length, const StepReport &report, const bool last)
{
  counts.newton += report.newton;
  counts.krylov += report.krylov;
  counts.energy_error = energy_balance.balance_error();
  if (const double error = std::abs(counts.energy_error);
      !(error <= counts.largest_energy_error))  // NaN, where a law has no energies, stays
    counts.largest_energy_error = std::isnan(counts.largest_energy_error) ? counts.largest_energy_error : error;
  const TimeStepping *stepping = stage.stepping();
  if (stepping)
    quality.look(energy_balance);
  const bool peaks = recorder.static_peaks || stepping || !moves();
  recorder.record({state,
                   energy_balance,
                   report,
                   length,
                   stepping ? stepping->integrator.get() : nullptr,
                   stepping ? stepping->step : 0.,
                   {stage.name, actions.reached, last, state.t - place.start},
                   stage.frame_time(*this),
                   stage.length(),
                   peaks});
}
}  // namespace symdyn
