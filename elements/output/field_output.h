#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elements/output/cell_frames.h"
#include "elements/solids/solid_body.h"
#include "elements/system/cell_stress.h"

namespace symdyn
{
/// VTU files of a solid: displacement [m], velocity [m/s], acceleration [m/s²], Cauchy stress [Pa] (tensor; von Mises), strain energy
/// density per reference volume [J/m³], strain [-], principal stresses [Pa], reactions [N], number of the material. High-order cells for
/// degree 2 and more. What follows of a stress is that of the mean where points are shared.
template <int dim>
class FieldOutput
{
public:
  /// What is written unless a deck says otherwise.
  static std::vector<std::string> usual_fields() { return {"displacement", "velocity", "acceleration", "stress", "material"}; }
  /// What can be written.
  static std::vector<std::string> fields()
  {
    return {"displacement", "velocity", "acceleration",    "stress",           "strain",           "principal stress",
            "reaction",     "material", "averaged stress", "projected stress", "quadrature stress"};
  }
  /// `reaction`: of a state, 0 at nodes without supports [N]; collective.
  using Reaction = std::function<Vector(const State &)>;
  FieldOutput(const SolidBody<dim> &system, const CellFrames<dim> &frames, std::vector<std::string> fields, Reaction reaction);
  ~FieldOutput();

  /// One file on one rank, one a rank and a .pvtu record in parallel; returns the file to open, then those of quadrature points. Errors:
  /// ComputationError if one cannot be written.
  std::vector<std::string> write(const State &state, const std::string &folder, unsigned int number) const;
  /// The fields alone, into folder/base with the ending of its kind.
  std::string write_fields(const State &state, const std::string &folder, const std::string &base) const;

private:
  struct Smoothed;
  bool wants(const std::string &field) const;
  void add_stresses(const State &state, std::vector<NodeField> &fields) const;
  void add_smoothed(const State &state, std::vector<NodeField> &fields) const;

  const SolidBody<dim> &system;
  std::vector<std::string> wanted;
  Reaction reaction;
  const CellFrames<dim> &frames;
  CellStress<dim> at_nodes;
  std::vector<std::unique_ptr<Smoothed>> smoothed;
};
}  // namespace symdyn
