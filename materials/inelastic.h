#pragma once
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "materials/algebra/lanes.h"
#include "materials/material.h"

namespace symdyn
{
/// A quantity that a law remembers.
struct Remembered
{
  std::string name;  ///< "plastic_strain": of the field
  int components;    ///< 1, or 6: of a symmetric tensor, in the order 11, 22, 33, 12, 13, 23
  std::string unit;  ///< "": none; "Pa", "J/m^3"
};

/// What laws with a memory have beside their stresses.
class InelasticProperties
{
public:
  /// Whether W_n depends on dt.
  virtual bool depends_on_rates() const { return true; }
  /// Length of an increment in which rates do not act [s]: no creep, no relaxation, no overstress. NaN: the law has none.
  virtual double length_without_rates() const { return depends_on_rates() ? std::numeric_limits<double>::quiet_NaN() : 1.; }
  /// Whether the strain is ½ ln C, and plastic strain is subtracted from it: wrong where principal axes turn at large strains.
  virtual bool subtracts_logarithms() const { return false; }
  /// tau_i of the terms that relax [s]; empty: none.
  virtual std::vector<double> relaxation_times() const { return {}; }
  /// sum_i weights[i] dS_i/ds along C(s) at the history `from`, S_i the stress of a term at t = 0, which relaxes as exp(-t/tau_i): the
  /// complex moduli are D* = D - sum_i D_i/(1 + i omega tau_i), D of the frozen law.
  virtual Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> & /*C*/, const Wide * /*from*/, const double * /*weights*/) const
  {
    throw std::logic_error("a law that relaxes says how it does");
  }

protected:
  ~InelasticProperties() = default;
};

/// A material with a memory: `variables()` numbers m at each point, which change from one accepted state to the next. A step of length dt
/// from m_n to C has the incremental potential
///     W_n(C) = min over m of  A(C, m) + dt psi((m - m_n)/dt)   [J/m³]
/// A: stored energy, psi: potential of the dissipation (Ortiz, Stainier 1999). S = 2 dW_n/dC, and the tangents are the derivatives of S.
/// With dt = 0 the memory is frozen, m = m_n: W_n = A(C, m_n), and the law is elastic. An increment dissipates dt psi'(m')·m', m' = (m -
/// m_n)/dt, which the law adds up in its memory. The map from (C, m_n, dt) to (S, m) is a function: it knows no iterate of before.
///
/// As a Material without a history it is frozen in its virgin state: that gives moduli for estimates. Cells bind it to their history
/// (BoundLaw).
class InelasticMaterial : public Material, public InelasticProperties
{
public:
  /// Of a point.
  virtual int variables() const = 0;
  /// The virgin ones, m[variables()].
  virtual void begin(double *m) const = 0;
  /// Whether S is the gradient of a W_n: what discrete gradients and minimisations need. If not, D may be unsymmetric.
  virtual bool has_potential() const { return true; }
  /// Whether D is symmetric all the same.
  virtual bool is_symmetric() const { return has_potential(); }

  /// Dissipated since the virgin state, which never falls [J/m³].
  virtual Wide dissipated(const Wide *m) const = 0;
  /// The part of A that elastic unloading leaves: of hardening, backstresses, viscous branches [J/m³].
  virtual Wide stored(const Wide * /*m*/) const { return 0.; }
  /// Whether it flows at constant volume.
  virtual bool flows() const { return false; }
  /// Accumulated plastic strain p, and its growth in the last increment [-]. Of laws that do not flow: 0.
  virtual Wide flow(const Wide * /*m*/) const { return 0.; }
  virtual Wide last_flow(const Wide * /*m*/) const { return 0.; }
  /// What fields and probes show of m: one after the other.
  virtual std::vector<Remembered> remembered() const { return {}; }
  /// Their values, components after components.
  virtual void show(const Wide * /*m*/, Wide * /*values*/) const {}

  // From m_n = `from`; `to`: where m goes, nullptr: not wanted.
  virtual Wide incremental_energy(const Symmetric<Wide> &C, const Wide *from, double dt) const = 0;
  virtual Symmetric<Wide> incremental_stress(const Symmetric<Wide> &C, const Wide *from, double dt, Wide *to) const = 0;
  virtual Symmetric<Dual<Wide>> incremental_stress(const Symmetric<Dual<Wide>> &C, const Wide *from, double dt) const = 0;
  virtual Symmetric<Jet<Wide>> incremental_stress(const Symmetric<Jet<Wide>> &C, const Wide *from, double dt) const = 0;
  /// S and D = 2 dS/dC, here by six directions.
  virtual void incremental_tangent(const Symmetric<Wide> &C, const Wide *from, double dt, Symmetric<Wide> &S, Tangent<Wide> &D) const;

  using Material::thickness_stretch_squared;
  /// C_33 at the end of the increment: of plane stress that which makes S_33 = 0.
  virtual Wide thickness_stretch_squared(const Symmetric<Wide> &C, const Wide * /*from*/, double /*dt*/) const { return C[2]; }
  Wide thickness_stretch_squared(const Symmetric<Wide> &C) const override { return thickness_stretch_squared(C, virgin().data(), 0.); }

  Wide psi(const Symmetric<Wide> &C) const override { return incremental_energy(C, virgin().data(), 0.); }
  Symmetric<Wide> stress(const Symmetric<Wide> &C) const override { return incremental_stress(C, virgin().data(), 0., nullptr); }
  Symmetric<Jet<Wide>> stress(const Symmetric<Jet<Wide>> &C) const override { return incremental_stress(C, virgin().data(), 0.); }
  Symmetric<Dual<Wide>> stress(const Symmetric<Dual<Wide>> &C) const override { return incremental_stress(C, virgin().data(), 0.); }
  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    incremental_tangent(C, virgin().data(), 0., S, D);
  }

  /// The virgin variables of `lanes` points.
  std::vector<Wide> virgin() const;

protected:
  InelasticMaterial() { kinks = true; }

private:
  void stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, int points) const override;
};

/// The law if it has a memory, else nullptr.
inline const InelasticMaterial *inelastic(const Material &law) { return dynamic_cast<const InelasticMaterial *>(&law); }

/// Supplies the virtual functions of InelasticMaterial from two templates of the derived class:
///     Wide energy(const Symmetric<Wide> &C, const Wide *from, double dt) const;                                     // W_n
///     template <class T> Symmetric<T> stress(const Symmetric<T> &C, const Wide *from, double dt, T *to) const;      // 2 dW_n/dC
/// Scalars T: Wide, Dual<Wide>, Jet<Wide>; constant<T>(from[i]) is a variable. Branches blend lanes: select(positive(f), plastic, elastic).
/// `to` is nullptr unless the new variables are wanted.
template <class Derived>
class InelasticOf : public InelasticMaterial
{
public:
  Wide incremental_energy(const Symmetric<Wide> &C, const Wide *from, const double dt) const override
  {
    return derived().energy(C, from, dt);
  }
  Symmetric<Wide> incremental_stress(const Symmetric<Wide> &C, const Wide *from, const double dt, Wide *to) const override
  {
    return derived().stress(C, from, dt, to);
  }
  Symmetric<Dual<Wide>> incremental_stress(const Symmetric<Dual<Wide>> &C, const Wide *from, const double dt) const override
  {
    return derived().stress(C, from, dt, static_cast<Dual<Wide> *>(nullptr));
  }
  Symmetric<Jet<Wide>> incremental_stress(const Symmetric<Jet<Wide>> &C, const Wide *from, const double dt) const override
  {
    return derived().stress(C, from, dt, static_cast<Jet<Wide> *>(nullptr));
  }

private:
  const Derived &derived() const { return static_cast<const Derived &>(*this); }
};
}  // namespace symdyn
