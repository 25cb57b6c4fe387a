#pragma once
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// What a deck says of a law of contact.
struct ContactEntries
{
  double stiffness = 0;                     ///< k [Pa/m]
  double layer = 0;                         ///< L [m]
  bool inside = true;                       ///< the barrier acts from touching to a depth of L; else from a gap of L to touching
  double pressure = 0, distance = 0;        ///< p0 [Pa], c0 [m]
  double face = 0;                          ///< the smallest size of a face [m]
  std::vector<double> pressures, closures;  ///< [Pa], [m]
};

/// Energy per area of a gap g, Phi(g) [J/m²]; the pressure is p = -Phi'(g) [Pa]. One file a law.
class ContactLaw
{
public:
  virtual ~ContactLaw() = default;
  /// Names of the entries of a contact that it uses, of those of ContactEntries.
  virtual std::vector<std::string> entries() const = 0;
  /// Entries of its own.
  virtual void declare(Parameters &) {}
  /// The entry at fault and the rule, or two empty texts.
  virtual std::array<std::string, 2> take(const ContactEntries &entries) = 0;
  /// Phi, Phi', Phi'', Phi''', Phi'''' at g [J/m², Pa, Pa/m, ...]. Below least() a smooth continuation, which iterates of Newton's method
  /// may meet and states may not.
  virtual std::array<double, 5> at(double g) const = 0;
  /// Gaps are larger than this [m].
  virtual double least() const { return -std::numeric_limits<double>::infinity(); }
  /// There is no force beyond this gap [m].
  virtual double reach() const = 0;
  /// Over a part of this length Phi changes little about g [m].
  virtual double scale(double g) const = 0;
  /// k of omega_0² = k/rho_A, about Phi'' where a closed contact is [Pa/m].
  virtual double stiffness() const = 0;
  /// The law that takes its place in decks with motion; "": none does.
  virtual std::string in_motion() const { return ""; }
  /// k h_e/E of Stiffness = auto.
  virtual double over_modulus() const { return 10.; }
  /// Whether it is infinite at the end of a layer, least(), and 0 before it, so that distances without a sign serve.
  virtual bool is_barrier() const { return false; }
  /// Whether bodies that touch, g = 0, are closed as if by rounding, so that one that lies on another is held.
  virtual bool closes_by_touching() const { return false; }
  /// Whether static increments are repeated with multipliers until nothing is deep.
  virtual bool has_multipliers() const { return false; }
  /// Whether bodies are held together, too: TiedTerm.
  virtual bool holds() const { return false; }
  /// How many derivatives of Phi are continuous.
  virtual int smoothness() const = 0;
};

/// Phi of a law that is asked at g - s, of a closed point less what it has of s alone: bodies that touch without a depth store nothing
/// [J/m²].
inline double energy_about(const ContactLaw &law, const double g, const double s)
{
  return law.at(g - s)[0] - (s > 0. && g < s ? law.at(-s)[0] : 0.);
}

/// The mean of Phi' between two gaps, D = (Phi(g1) - Phi(g0))/(g1 - g0), and dD/dg1.
struct MeanSlope
{
  MeanSlope(const ContactLaw &law, double g0, double g1);
  double value, change;
};
}  // namespace symdyn
