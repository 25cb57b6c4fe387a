// A material of one's own: part of a program, or a library for `symdyn run --plugin`.
#include "materials/material_of.h"
#include "solver/registry.h"

using namespace symdyn;

/// psi = (tr C - 3)/2 - ln J [J/m³]
struct Toy : MaterialOf<Toy>
{
  void declare(Parameters &) override {}
  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    using std::log;
    return 0.5 * (trace(C) - 3.) - 0.5 * log(determinant(C));
  }
};
SYMDYN_REGISTER(Material, Toy, TOY_NAME);
