#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/results/results.h"
#include "solver/stage.h"
#include "solver/stages/linear_quantities.h"
#include "solver/stages/nodal_diameters.h"
#include "solver/vibration/harmonic.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// Steady vibration about a state at rest, a frequency a step: under loads and supports that oscillate, or that go through a period of any
/// form, a sum of harmonic answers.
class HarmonicStage : public Stage
{
public:
  std::string meaning() const override { return "steady vibration"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  void begin(Analysis &analysis) override;
  Progress advance(Analysis &analysis) override;
  void stop(Analysis &analysis) override;
  void end(Analysis &analysis) override;
  void save(const Analysis &analysis, Archive &archive) const override;
  void load(const Analysis &analysis, const Archive &archive) override;
  void resume(Analysis &analysis, const Archive &) override { prepare(analysis); }

private:
  // What drives (harmonic_loads.cc).
  /// Numbers of the loads that oscillate, where the others act already. Errors: InputError for those that cannot.
  std::vector<std::size_t> oscillating_loads(const Analysis &analysis) const;
  void check_out_of_phase(const std::vector<std::string> &names, const std::vector<std::size_t> &oscillating) const;
  /// Says what oscillates.
  ComplexVector force(const Analysis &analysis) const;
  /// The amplitude of supports that oscillate: those that begin in the stage; empty: none.
  Vector support_amplitude(Analysis &analysis) const;
  /// Says what oscillates. Errors: InputError for loads that are all zero.
  void report_drive(const Analysis &analysis, const std::vector<std::size_t> &loads, bool zero) const;

  // A sector (harmonic_sweep.cc).
  /// Errors: InputError for what sectors have not.
  void check_sector(Analysis &analysis);
  /// A pattern of the whole, and how it answers. A body without sectors has one.
  struct Pattern
  {
    FoldedOrder order;
    std::unique_ptr<CyclicMotion> motion;  ///< nullptr: the body is the whole
    std::unique_ptr<HarmonicResponse> response;
  };
  /// Of loads of the sector.
  ComplexVector of_whole(const Pattern &pattern, const ComplexVector &sector) const;
  void find_patterns(Analysis &analysis);
  /// Frequencies of all patterns.
  void make_grid();
  std::vector<HarmonicResponse::Amplitude> answers(double frequency, bool all) const;

  // A sweep.
  void prepare(Analysis &analysis);
  /// Errors: InputError for Stresses of a structure without.
  void prepare_quantities(const Analysis &analysis, const MechanicalSystem &system);
  std::string header(const Analysis &analysis) const;
  std::string row(const Analysis &analysis, double frequency, const HarmonicResponse::Amplitude &amplitude) const;
  void answer(Analysis &analysis, double frequency, long number);
  /// Of the points of frames.
  std::vector<PointValues> stress_amplitudes(const ComplexVector &u) const;
  void write_sweep(Analysis &analysis) const;
  std::string stem() const { return Results::stem(type, name); }

  // Any period (harmonic_waveform.cc).
  /// c_k, k = 0 ... terms/2; supports: empty if none oscillates.
  struct Waveform
  {
    std::vector<ComplexVector> forces, supports;
  };
  Waveform waveform_of(Analysis &analysis) const;
  std::vector<ComplexVector> support_waveform(Analysis &analysis, const std::vector<double> &times, bool loaded) const;
  std::string period_header(const Analysis &analysis) const;
  void answer_period(Analysis &analysis, double frequency, long number);

  HarmonicRequest request;
  LoadsOfSectors loads_of_sectors;
  const CyclicSector *sector = nullptr;  ///< nullptr: the body is the whole
  std::unique_ptr<AtRest> about;
  std::unique_ptr<RelaxingStiffness> relaxing;  ///< nullptr: no law relaxes
  std::vector<Pattern> patterns;                ///< of that
  std::vector<double> grid;                     ///< frequencies [Hz]
  std::unique_ptr<LinearQuantities> quantities;
  std::vector<std::size_t> more;  ///< of their others(): section forces, rotations, stresses of probes
  bool stresses = false;
  Waveform waveform;
  struct Sweep
  {
    std::string rows;
    Results::Collection real, imaginary;
  } sweep;  ///< so far
  long written = 0;
};
}  // namespace symdyn
