#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/files/node_files.h"
#include "elements/solids/solid_body.h"

namespace symdyn
{
/// The frames of FieldOutput in double precision (Output/Precision): the same points, fields and names as Float64, for every type of cell.
/// deal.II's own writer rounds to Float32.
template <int dim>
class DoubleFrames
{
public:
  DoubleFrames(const SolidBody<dim> &system, std::vector<std::string> fields);
  ~DoubleFrames();

  /// Writes the fields into folder/base with the ending of its kind. Collective. Errors: ComputationError if a file cannot be written.
  std::string write(const State &state, const std::string &folder, const std::string &base) const;

private:
  struct Smoothed;
  /// Fields without values: motions, then the stress and the energy density, then smoothed stresses from `smoothed` on.
  struct Layout
  {
    std::vector<NodeField> fields;
    std::vector<const Vector *> motions;
    std::size_t smoothed = 0;
  };
  Layout layout(const State &state) const;
  bool wants(const std::string &field) const;

  const SolidBody<dim> &system;
  std::vector<std::string> wanted;
  std::vector<std::unique_ptr<Smoothed>> smoothed;
};
}  // namespace symdyn
