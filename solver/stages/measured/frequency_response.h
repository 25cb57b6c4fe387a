#pragma once
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/column.h"
#include "solver/stage.h"
#include "solver/stages/measured/test_functions.h"
#include "solver/structure_places.h"
#include "solver/testdata/universal_file.h"
#include "solver/vibration/harmonic.h"
#include "solver/vibration/relaxing_stiffness.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// Frequency response functions H_ij(omega): the motion at an output i under a harmonic force, or load, at an input j of size one, about a
/// state at rest (Ewins, Modal Testing, 2000, 2.4). Receptance H: displacement, mobility i omega H: velocity, accelerance -omega² H:
/// acceleration. Dynamic stiffness H^-1: forces that move one place by one and hold the others.
class FrequencyResponseStage : public Stage
{
public:
  std::string meaning() const override { return "frequency response functions between places and loads"; }
  void declare(Parameters &p) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  void begin(Analysis &analysis) override { prepare(analysis); }
  Progress advance(Analysis &analysis) override;
  void stop(Analysis &analysis) override;
  void end(Analysis &analysis) override;
  void save(const Analysis &analysis, Archive &archive) const override;
  void load(const Analysis &analysis, const Archive &archive) override;
  void resume(Analysis &analysis, const Archive &) override { prepare(analysis); }

private:
  /// A place and an axis, or a load.
  struct Port
  {
    std::string label;                 ///< "tip.y", or the name of a load
    std::optional<std::size_t> place;  ///< of the places; none: a load
    int axis = 0;
  };
  using Matrix = std::vector<std::vector<std::complex<double>>>;  ///< [output][input]

  /// Errors: InputError for names that there are not. Collective.
  void find_ports(const Analysis &analysis);
  Port port_of(const Analysis &analysis, const StructurePlaces &places, const std::string &entry, const std::string &label,
               bool load_allowed);
  std::size_t number_of_place(const StructurePlaces &places, const std::string &name);
  void check_ports() const;
  ComplexVector force(const Analysis &analysis, const Port &port) const;
  void prepare(Analysis &analysis);
  /// The quantity that the deck asks for, of receptances. Errors: UnsolvedFrequency.
  Matrix quantity_of(double omega, const Matrix &H) const;
  bool is_stiffness() const { return quantity == "dynamic stiffness"; }

  // Files (frequency_response_files.cc).
  std::string unit_of(const Units &units, const Port &input) const;
  std::string csv(const Analysis &analysis) const;
  UniversalFile universal(const Analysis &analysis) const;
  void write(Analysis &analysis) const;
  /// Those from a place to a place.
  std::vector<TestFunctions::Function> functions() const;
  /// |H_ij - H_ji| over sqrt(|H_ii H_jj|), the largest; nothing: no two inputs are outputs, too.
  std::optional<double> reciprocity() const;

  HarmonicRequest request;
  TestFunctions test;
  std::vector<std::string> named_inputs, named_outputs, formats;
  std::string quantity = "receptance";
  std::vector<StructurePlace> places;
  std::vector<Port> inputs, outputs;
  std::unique_ptr<AtRest> about;
  std::unique_ptr<RelaxingStiffness> relaxing;
  std::unique_ptr<HarmonicResponse> response;
  struct Answer
  {
    double frequency;
    Matrix H;
    double residual;
  };
  std::vector<Answer> answers;
};
}  // namespace symdyn
