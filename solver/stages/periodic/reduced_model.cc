#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "solver/base/log.h"
#include "solver/base/plain_units.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/periodic/probed.h"
#include "solver/stages/periodic/smooth_body.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/substructures/modal_manifold.h"

namespace symdyn
{
/// A nonlinear model of a few modes about a state at rest, and the backbone curves of its modes: see ModalManifold.
class ReducedModelStage : public Stage
{
public:
  std::string meaning() const override { return "a nonlinear model of a few modes with their modal derivatives, backbone coefficients"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks
  Progress advance(Analysis &analysis) override;

private:
  /// (omega/omega_i)² = 1 + c A² [-]: of the reduced model, of the whole body, of the modes alone.
  struct Backbone
  {
    double reduced, body, modes;
  };
  /// Of the mode, where the Probe shows it.
  std::optional<Backbone> backbone(const ModalManifold &model, std::size_t i) const;
  /// The modes of the model, and those that may be in resonance with them.
  Modes find(const MechanicalSystem &system, const State &state);
  void warn(const ModalManifold &model, std::size_t i, const std::optional<Backbone> &c) const;
  nlohmann::json report(const Analysis &analysis, const ModalManifold &model, const std::vector<std::optional<Backbone>> &all) const;
  void compare(Analysis &analysis, double frequency, const std::optional<Backbone> &of_mode) const;
  std::string polynomial(const ModalManifold &model) const;
  void write(Analysis &analysis, const ModalManifold &model) const;

  ModesRequest request;
  std::vector<int> numbers{1};
  std::string probe, with;
  std::optional<Probed> place;
  static constexpr double near = 0.05;  ///< to a resonance
};

void ReducedModelStage::declare(Parameters &p)
{
  p.add("Mode numbers", numbers, "of the modes that the model has, in ascending order", between(1, 1000));
  p.add("Probe", probe, "PLACE.AXIS of a probe or point (tip.y), whose amplitude A backbone curves have; default: that of the mode itself");
  p.add("Compare", with,
        "name of a periodic stage before this one, with the same Probe and the first of the modes: its orbits stand beside the curve");
  if (!loads.empty() && loads != std::vector<std::string>{"none"})
    p.fail("Loads", "a reduced model applies no loads; those of the stages before it stay. Set Loads = none, or remove the entry");
  if (numbers.empty() || !std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>()))
    p.fail("Mode numbers", "must ascend. Sort them, and name each once");
  if (!with.empty() && probe.empty())
    p.fail("Compare", "needs the Probe of that stage");
}

StageTraits ReducedModelStage::traits() const
{
  StageTraits traits;
  traits.perturbation = traits.linear = true;
  traits.modes = numbers.back();
  return traits;
}

void ReducedModelStage::check(Analysis &analysis)
{
  require_smooth_body(analysis, *this);
  check_linear(analysis, *this);
  if (!probe.empty())
    place = probed(analysis, *this, probe);
  const auto is = [&](const auto &stage) { return stage->name == with && stage->type == "periodic"; };
  const auto own = std::find_if(analysis.stages.begin(), analysis.stages.end(), [&](const auto &stage) { return stage.get() == this; });
  if (!with.empty() && std::none_of(analysis.stages.begin(), own, is))
    throw InputError(at("Compare") + ": there is no periodic stage of this name before. Name one, or remove the entry");
}

std::optional<ReducedModelStage::Backbone> ReducedModelStage::backbone(const ModalManifold &model, const std::size_t i) const
{
  constexpr double unmoved = 1e-6;
  const double shown = place ? place->of(model.shape(i)) : 1.;
  if (std::abs(shown) < unmoved * model.shape(i).linfty_norm())
    return std::nullopt;
  const double square = shown * shown;
  return Backbone{model.backbone(i) / square, model.backbone_of_body(i) / square, model.backbone(i, false) / square};
}

void ReducedModelStage::warn(const ModalManifold &model, const std::size_t i, const std::optional<Backbone> &c) const
{
  constexpr double far = 0.1;
  for (const auto &[mode, order, distance] : model.resonances(i, near))
    log_warning(fmt::format(
        "stage {}: mode {} drives mode {}, within {:.2g} of a resonance of 1:{}: its backbone curve is no parabola. Take a periodic stage",
        name, numbers[i], mode + 1, distance, order));
  if (c && std::abs(c->reduced - c->body) > far * std::max(std::abs(c->reduced), std::abs(c->body)))
    log_warning(fmt::format(
        "stage {}: c of mode {} is {:.6g} by the reduced model, and {:.6g} by the whole body: the model lacks modes that move with it. Add "
        "them to Mode numbers",
        name, numbers[i], c->reduced, c->body));
}

nlohmann::json ReducedModelStage::report(const Analysis &analysis, const ModalManifold &model,
                                         const std::vector<std::optional<Backbone>> &all) const
{
  const Units &units = analysis.units;
  const std::string unit = plain_unit(place ? "1/" + units.length + "^2" : "1/(" + units.mass + " " + units.length + "^2)"),
                    of = place ? probe : "modal coordinate";
  std::string text =
      fmt::format("stage {}: model of {} modes; (omega/omega_i)^2 = 1 + c A^2, A: amplitude of the {}", name, model.size(), of);
  nlohmann::json found = nlohmann::json::array();
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    const std::optional<Backbone> &c = all[i];
    text += fmt::format("\n  mode {}: {:.8g} {}, ", numbers[i], std::sqrt(model.square(i)) / (2. * dealii::numbers::PI), hertz(units));
    text += c ? fmt::format("c = {:.7g} {} by the reduced model, {:.7g} by the whole body, {:.7g} without modal derivatives", c->reduced,
                            unit, c->body, c->modes)
              : fmt::format("no c: it does not move {}", probe);
    found.push_back({{"mode", numbers[i]}, {"omega squared", model.square(i)}});
    if (c)
      found.back()["backbone coefficient"] = {{"reduced model", c->reduced}, {"body", c->body}, {"modes alone", c->modes}};
    warn(model, i, c);
  }
  log_line(text);
  return found;
}

void ReducedModelStage::compare(Analysis &analysis, const double frequency, const std::optional<Backbone> &of_mode) const
{
  constexpr double same = 1e-5;
  const nlohmann::json &other = (*analysis.found)[with];
  if (other["probe"] != probe || other["mode"] != numbers.front())
    throw InputError(fmt::format("{}: that stage has Probe = {} and Mode = {}, this one {} and {}. Give both the same", at("Compare"),
                                 other["probe"].get<std::string>(), other["mode"].get<int>(), probe, numbers.front()));
  if (const double theirs = other["frequency of the mode"]; std::abs(theirs - frequency) > same * frequency)
    throw InputError(
        fmt::format("{}: mode {} has {:.8g} there, {:.8g} {} here: the states differ. Put no stage between that changes the state",
                    at("Compare"), numbers.front(), theirs, frequency, hertz(analysis.units)));
  if (!of_mode)
    throw InputError(fmt::format("{}: mode {} does not move it. Name another one, or remove Compare", at("Probe"), numbers.front()));
  std::string text = fmt::format("stage {}: omega/omega_i of the orbits of stage {}, and of the curves\n  {:>14} {:>14} {:>14} {:>14}",
                                 name, with, "amplitude", "orbit", "reduced model", "whole body");
  nlohmann::json rows = nlohmann::json::array();
  for (const nlohmann::json &orbit : other["orbits"])
  {
    const double A = orbit["amplitude"], ratio = orbit["frequency over that of the mode"];
    const auto curve = [&](const double c) { return std::sqrt(std::max(0., 1. + c * A * A)); };
    text += fmt::format("\n  {:>14.6g} {:>14.8g} {:>14.8g} {:>14.8g}", A, ratio, curve(of_mode->reduced), curve(of_mode->body));
    rows.push_back({{"amplitude", A}, {"orbit", ratio}, {"reduced model", curve(of_mode->reduced)}, {"body", curve(of_mode->body)}});
  }
  log_line(text);
  (*analysis.found)[name]["orbits"] = rows;
}

std::string ReducedModelStage::polynomial(const ModalManifold &model) const
{
  std::string text = "i [-],j [-],k [-],l [-],coefficient\n";
  const std::size_t n = model.size();
  for (std::size_t i = 0; i < n; ++i)
    text += fmt::format("{0},{0},0,0,{1}\n", numbers[i], model.square(i));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j)
      for (std::size_t k = j; k < n; ++k)
        text += fmt::format("{},{},{},0,{}\n", numbers[i], numbers[j], numbers[k], model.cubic({i, j, k}));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j)
      for (std::size_t k = j; k < n; ++k)
        for (std::size_t l = k; l < n; ++l)
          text += fmt::format("{},{},{},{},{}\n", numbers[i], numbers[j], numbers[k], numbers[l], model.quartic({i, j, k, l}));
  return text;
}

void ReducedModelStage::write(Analysis &analysis, const ModalManifold &model) const
{
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("reduced-model", name);
  recorder.file(stem + "-polynomial.csv", polynomial(model));
  Results::Collection frames;
  if (recorder.writes_fields())
    for (std::size_t i = 0; i < model.size(); ++i)
    {
      frames.emplace_back(frames.size() + 1, recorder.shape(model.shape(i), fmt::format("{}-{}", stem, numbers[i])));
      for (std::size_t j = i; j < model.size(); ++j)
        frames.emplace_back(frames.size() + 1,
                            recorder.shape(model.derivative(i, j), fmt::format("{}-{}-{}", stem, numbers[i], numbers[j])));
    }
  recorder.collection(stem + ".pvd", frames);
}

Modes ReducedModelStage::find(const MechanicalSystem &system, const State &state)
{
  constexpr double highest_order = 3;
  request.number = numbers.back();
  const Modes own = find_modes(system, state.t, state.q, request);
  for (const int number : numbers)
    if (std::size_t(number) > own.size() || own.kinds[number - 1] != Modes::vibration)
      throw InputError(fmt::format("{}: {} is no mode that vibrates; the body has {}", at("Mode numbers"), number, own.size()));
  request.highest = highest_order * (1. + near) * own.frequency(std::size_t(numbers.back() - 1));
  return find_modes(system, state.t, state.q, request);
}

Progress ReducedModelStage::advance(Analysis &analysis)
{
  const ScopedTimer timer("reduced model");
  check_rest(analysis, *this);
  const State &state = analysis.state;
  const MechanicalSystem &system = analysis.system();
  check_linear_motion(system, state.t, state.q);
  if (const std::string free = analysis.structure->free_motions(state.q, analysis.units); !free.empty())
    throw InputError(fmt::format("{}: nothing holds the body: {}. A reduced model is of a body that stands: add Supports", where, free));
  if (system.has(Feature::damping))
    log_line(fmt::format("stage {}: damping takes no part in the model", name));
  const Modes modes = find(system, state);
  ModalManifold::Indices chosen;
  for (const int number : numbers)
    chosen.push_back(std::size_t(number - 1));
  const ModelFacts facts = analysis.structure->facts();
  double length = 0;
  for (int d = 0; d < 3; ++d)
    length = std::max(length, facts.upper[d] - facts.lower[d]);
  const ModalManifold model(system, state.t, state.q, modes, chosen, length > 0. ? length : 1.);
  std::vector<std::optional<Backbone>> all;
  for (std::size_t i = 0; i < model.size(); ++i)
    all.push_back(backbone(model, i));
  (*analysis.found)[name] = {{"modes", report(analysis, model, all)}, {"probe", probe}};
  if (!with.empty())
    compare(analysis, modes.frequency(chosen.front()), all.front());
  write(analysis, model);
  return Progress::ended;
}
SYMDYN_REGISTER(Stage, ReducedModelStage, "reduced model");
}  // namespace symdyn
