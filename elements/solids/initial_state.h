#pragma once
#include <string>
#include <vector>

#include "elements/space/discretisation.h"
#include "materials/section/prestrained.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
class Parameters;

/// Stresses and plastic strains that a body has at the start, undeformed: sections of the deck's Initial state.
template <int dim>
class InitialState
{
public:
  /// Errors: InputError.
  void declare(const Parameters &p);
  void document(const Parameters &p);
  bool given() const { return !parts.empty(); }
  std::string where() const { return parts.front().where; }
  /// Whether a part of it is a plastic strain.
  bool strains() const;
  /// Finds the cells that the deck names. Collective. Errors: InputError for names that the mesh's file does not have, for cells of two
  /// sections, for plastic strains and shears across plane bodies.
  void prepare(const Discretisation<dim> &mesh, bool plane_stress);
  /// Of an active cell at X [m].
  InitialPoint at(unsigned int cell, const double *X) const;

private:
  struct Part
  {
    std::string where;
    std::vector<std::string> elements;
    InitialPoint::Kind kind = InitialPoint::nothing;
    std::vector<Expression> value;
    std::vector<bool> in = {};  ///< by active cell; empty: all
    void declare(Parameters &p);
    bool has(const unsigned int cell) const { return in.empty() || in[cell]; }
  };
  std::vector<Part> parts;
};
}  // namespace symdyn
