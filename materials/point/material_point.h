#pragma once
#include <array>
#include <string>
#include <vector>

#include "materials/inelastic.h"

namespace symdyn
{
/// One material point under prescribed strain, stress or deformation gradient, without a mesh. Strain is small for geometrically linear
/// laws, else the logarithmic one ln U of a stretch U without rotation; stress is Cauchy's [Pa]. Components: 11, 22, 33, 12, 13, 23, of
/// tensors (shear not doubled).
class MaterialPoint
{
public:
  /// The law must outlive it.
  explicit MaterialPoint(const Material &law);

  /// Component i of the strain, or of the stress, is to be value[i] at the end of the step.
  struct Target
  {
    std::array<double, 6> value{};
    std::array<bool, 6> is_stress{};
  };
  using Gradient = std::array<std::array<double, 3>, 3>;

  /// A step of length dt. Errors: ComputationError where no strain gives the stress, or the law has no answer; the state is then as before.
  void step(const Target &target, double dt);
  void step(const Gradient &F, double dt);
  /// Goes on from these variables of the law instead. Errors: InputError for another number of them.
  void begin(const std::vector<double> &variables);

  std::array<double, 6> strain() const { return eps; }
  std::array<double, 6> stress() const { return sigma; }
  /// Second Piola-Kirchhoff [Pa].
  std::array<double, 6> second_stress() const { return S; }
  double stored_energy() const;           ///< A at the state [J/m³]
  double increment() const { return W; }  ///< W_n of the last step [J/m³]
  double dissipated() const;
  double kept() const;  ///< the part of A that elastic unloading leaves
  double flow() const;
  /// What the law remembers, named "p", "plastic_strain_11", ...
  std::vector<std::string> names() const;
  std::vector<double> memory() const;
  const std::vector<Wide> &variables() const { return m; }

private:
  template <class T>
  Symmetric<T> C_of(const Symmetric<T> &strain) const;
  template <class T>
  Symmetric<T> stress_at(const Symmetric<T> &strain, double dt) const;
  Symmetric<Wide> strain_of(const Target &target, double dt) const;
  std::vector<double> correction(const Symmetric<Wide> &strain, const std::vector<int> &unknown, const std::vector<double> &r,
                                 double dt) const;
  void accept(const Symmetric<Wide> &C, const Gradient &F, double dt);

  const Material &law;
  const InelasticMaterial *inelastic_law;
  std::vector<Wide> m;
  Symmetric<Wide> C;
  std::array<double, 6> eps{}, sigma{}, S{};
  double W = 0.;
};
}  // namespace symdyn
