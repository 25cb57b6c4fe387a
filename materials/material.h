#pragma once
#include <memory>
#include <string>

#include "materials/algebra/jet.h"
#include "materials/algebra/symmetric.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
class Parameters;

/// S = a I + b cof C [Pa]
template <class T>
struct Response
{
  T a, b;
};

/// A hyperelastic material: one strain energy psi(C) per reference volume [J/m³], C = FᵀF the right Cauchy–Green tensor
/// (3-D; plane problems pass C_33 = 1). Objectivity is exact because psi sees C alone. A geometrically linear material
/// (`small_strain`) gets the linearised C = I + 2 ε instead, ε = sym grad u. All are evaluated for `lanes` points at
/// once.
class Material
{
public:
  virtual ~Material() = default;

  /// Constitutive constants. Density and the cells it fills are declared by whoever holds the material.
  virtual void declare(Parameters &p) = 0;
  virtual bool small_strain() const { return false; }
  /// psi is a polynomial of degree 2 in C, so that psi(C1) - psi(C0) = ½ S((C0 + C1)/2) : (C1 - C0) exactly.
  virtual bool quadratic() const { return false; }
  /// ½ D : dC at many points, the change of S with C [Pa]. Of such materials only: D is constant.
  virtual void stress_change(const Symmetric<Wide> *dC, Symmetric<Wide> *dS, int points) const;

  virtual Wide psi(const Symmetric<Wide> &C) const = 0;
  /// S = 2 dpsi/dC, second Piola–Kirchhoff stress [Pa].
  virtual Symmetric<Wide> stress(const Symmetric<Wide> &C) const = 0;
  /// The same at many points: one call of a virtual function where a cell has dozens of them.
  virtual void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, int points) const = 0;
  /// S and D = 2 dS/dC [Pa].
  virtual void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const = 0;
  /// S, dS/ds and d²S/ds² along the curve C(s): tangent action and second tangent action.
  virtual Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const = 0;
  /// S and dS/ds alone.
  virtual Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const = 0;

  /// Whether psi depends on I1 = tr C and III = det C alone. Then S = a I + b cof C with the coefficients below, P = F S is
  /// a F + b J cof F, J = det F, and no kernel has to form C.
  virtual bool of_two_invariants() const { return false; }
  /// Of those: whether a is a constant and b depends on III alone, so that nobody has to compute I1 for `response`.
  virtual bool response_ignores_trace() const { return false; }
  /// psi at many points, from I1 and III. Of such materials only, as the following.
  virtual void energy(const Wide *I1, const Wide *III, Wide *psi, int points) const;
  /// a and b at many points, from I1 and III.
  virtual void response(const Wide *I1, const Wide *III, Wide *a, Wide *b, int points) const;
  virtual void response(const Dual<Wide> *I1, const Dual<Wide> *III, Dual<Wide> *a, Dual<Wide> *b, int points) const;
  virtual void response(const Jet<Wide> *I1, const Jet<Wide> *III, Jet<Wide> *a, Jet<Wide> *b, int points) const;

  /// C_33 in the deformed state: C_33 itself, but for plane stress the value that makes S_33 = 0.
  virtual Wide thickness_stretch_squared(const Symmetric<Wide> &C) const { return C[2]; }
  virtual bool plane_stress() const { return false; }

  /// Whether S may have kinks within a step: where a law begins to flow.
  bool has_kinks() const { return kinks; }
  /// The law at quadrature point q of the cells being integrated: itself, unless it is bound to their history (bound_law.h).
  virtual const Material &at_point(int /*q*/) const { return *this; }

  /// The same material with stress and tangents by forward differentiation of psi (the oracle of the tests); null where
  /// psi cannot be differentiated so: energies in principal stretches.
  virtual std::unique_ptr<Material> differentiated() const { return nullptr; }

  /// Speed of longitudinal waves at C = I is sqrt(this / density) [Pa]; used for estimates only.
  double longitudinal_modulus() const;

protected:
  bool kinks = false;
};
}  // namespace symdyn
