#pragma once
#include <array>
#include <memory>
#include <vector>

#include "elements/gram/gram_layout.h"
#include "elements/term.h"
#include "materials/inelastic.h"

namespace symdyn
{
/// The stresses of elements whose sections a law with a memory gives at points: beams (uniaxial stress; n = 1) and shells (plane stress:
/// 11, 22, 2·12; n = 3). With E_k the strains of order k of a section, from those of the shape by its metric, A its weight:
///     e_p = E_0 + sum_k c_pk E_k,   V = sum_sections A sum_p w_p W_n(e_p) + ½ eps·D eps of the other blocks,   sigma = dV/d eps
/// What they remember: [section][point][variable] of each batch (GramMemory).
class Fibres
{
public:
  /// `law`: of uniaxial or of plane stress (ThinLaws).
  explicit Fibres(std::shared_ptr<const InelasticMaterial> law);

  /// Takes the last element of a batch of a group.
  void add(int group, int batch, int lane, const GramModel &model);
  const InelasticMaterial &material() const { return *law; }

  /// Of a batch of a group, in Wides.
  std::size_t variables(const int group) const { return size_of(groups[group]); }
  void begin(int group, Wide *m) const;
  /// Of its first `filled` elements.
  Spent spent(int group, int batch, int filled, const Wide *m) const;

  /// Elements side by side in a step: D at rest, and what they remember.
  struct Batch
  {
    int group, number;
    const GramLayout &layout;
    const Wide *D;
    const Wide *from;  ///< nullptr: virgin
    Wide *to;          ///< nullptr: not wanted
    double dt;
  };
  Wide energy(const Batch &batch, const Wide *eps) const;
  /// Writes the new history where At::to wants it.
  void stress(const Batch &batch, const Wide *eps, Wide *sigma) const;
  /// d sigma, of strains that grow by d eps.
  void change(const Batch &batch, const Wide *eps, const Wide *rate, Wide *change) const;
  /// Derivatives of sigma along a curve of strains.
  void bend(const Batch &batch, const Jet<Wide> *eps, Jet<Wide> *sigma) const;
  /// d sigma/d eps, packed, and packed from its transpose.
  void moduli(const Batch &batch, const Wide *eps, Wide *D, Wide *transposed) const;
  /// sigma_d with sigma_d·(eps1 - eps0) = V(eps1) - V(eps0), at each point by itself (Gonzalez 2000, eq. 21); and d sigma_d/d eps1.
  void discrete_stress(const Batch &batch, const Wide *eps0, const Wide *eps1, Wide *sigma) const;
  void discrete_moduli(const Batch &batch, const Wide *eps0, const Wide *eps1, Wide *D, Wide *transposed) const;

  /// What one point shows.
  struct Seen
  {
    std::array<double, 3> stress;  ///< [Pa]: the first n
    double flow;                   ///< accumulated plastic strain [-]
  };
  /// [lane][section][point]
  std::vector<std::vector<Seen>> points(const Batch &batch, const Wide *eps) const;

private:
  static constexpr int most_components = 3, most_strains = 6;
  template <class T>
  using Strain = std::array<T, most_components>;
  struct Group
  {
    std::vector<std::vector<int>> strains;   ///< of sections
    int orders = 0, points = 0, packed = 0;  ///< packed: of the sections in D
    std::vector<Wide> metric, weight;        ///< [batch][section]
    std::vector<Wide> places;                ///< [batch][point]: c_1, ..., weight
    int sections() const { return int(strains.size()); }
  };
  /// Of a point: its place among the strains of its section, and its memory.
  struct Point
  {
    const Wide *place;
    const Wide *from;
    Wide *to;
  };
  void make_group(const GramModel &model);
  /// Variables of a batch.
  std::size_t size_of(const Group &group) const { return std::size_t(group.sections()) * group.points * law->variables(); }
  Point point(const Batch &batch, int section, int number) const;
  /// sigma of the sections' strains, of stress_of(section, point, e).
  template <class T, class Stress>
  void integrate(const Batch &batch, const T *eps, const Stress &stress_of, T *sigma) const;
  /// E of all orders of a section.
  template <class T>
  std::array<T, most_strains> section_strains(const Batch &batch, int section, const T *eps) const;
  template <class T>
  Strain<T> strain_at(const Point &of, int orders, const std::array<T, most_strains> &E) const;
  /// Packed D of the sections, of moduli n x n at the points: moduli_of(section, point, number of the section's strains).
  template <class Moduli>
  void pack(const Batch &batch, const Moduli &moduli_of, Wide *D, Wide *transposed) const;
  template <class T>
  Symmetric<T> embedded(const Strain<T> &e) const;
  template <class T>
  Strain<T> conjugate(const Symmetric<T> &S) const;

  std::shared_ptr<const InelasticMaterial> law;
  int n;  ///< components of strain at a point
  std::vector<Wide> virgin;
  std::vector<Group> groups;
};
}  // namespace symdyn
