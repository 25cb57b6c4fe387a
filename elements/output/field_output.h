#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/output/double_frames.h"
#include "elements/solids/solid_body.h"
#include "solver/base/units.h"

namespace symdyn
{
/// VTU files of a solid: displacement [m], velocity [m/s], acceleration [m/s²], Cauchy stress [Pa] (tensor; von Mises), strain
/// energy density per reference volume [J/m³], material number. High-order cells for degree 2 and more, fast compression.
template <int dim>
class FieldOutput
{
public:
  /// What is written unless a deck says otherwise.
  static std::vector<std::string> usual_fields() { return {"displacement", "velocity", "acceleration", "stress", "material"}; }
  /// What can be written.
  static std::vector<std::string> fields()
  {
    return {"displacement", "velocity", "acceleration", "stress", "material", "averaged stress", "projected stress", "quadrature stress"};
  }
  /// `is_double`: Float64 instead of Float32.
  FieldOutput(const SolidBody<dim> &system, std::vector<std::string> fields, bool is_double);
  ~FieldOutput();

  /// One file on one rank, one a rank and a .pvtu record in parallel; returns the file to open, then those of quadrature points. Errors:
  /// ComputationError if one cannot be written.
  std::vector<std::string> write(const State &state, const std::string &folder, unsigned int number) const;
  /// The fields alone, into folder/base with the ending of its kind.
  std::string write_fields(const State &state, const std::string &folder, const std::string &base) const;

private:
  class StressFields;
  class Stress;
  class Smoothed;
  Vector to_output_numbering(const Vector &x) const;
  bool wants(const std::string &field) const;
  std::string write_by_cells(const State &state, const std::string &folder, const std::string &base) const;

  const SolidBody<dim> &system;
  std::vector<std::string> wanted;
  std::unique_ptr<dealii::FiniteElement<dim>> fe;
  dealii::DoFHandler<dim> handler;  ///< of vectors: what deal.II's output wants
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> partitioner;
  std::vector<int> source;  ///< output local index: our local index
  std::unique_ptr<Stress> stress;
  std::vector<std::unique_ptr<Smoothed>> smoothed;
  std::unique_ptr<DoubleFrames<dim>> doubles;  ///< null: single precision
};
}  // namespace symdyn
