#pragma once
#include <array>
#include <memory>

#include "elements/contact/arrow.h"
#include "elements/contact/friction/friction_term.h"
#include "elements/contact/friction/rubbing_surfaces.h"

namespace symdyn
{
/// Friction of boundaries on each other, at points of their faces. The memory of a point x holds the
/// piece y_0 y_1 y_2 of the other surface that was nearest at the start of the step. With E_k = y_k - y_0, the weights w of the place of
/// its plane nearest to x, and r = x - y_0 - sum w_k E_k,
///     e = sum_k S_k E_k,   S_k = s_k + w_k                            [m]
/// s from the memory makes e the elastic slip at the start. e does not change with rigid motions, so forces keep P and J:
///     f_x = T e,   f_k = T (S_k (r + e) - w_k e),   f_0 = -(f_x + f_1 + f_2),   T = W_n'/|e|
/// Derived from G dw = d(E·(x - y_0)) - dG w, G = E_k·E_l. Pinned by Friction.ForceOfAPairIsTheGradientOfW.
///
/// Discrete gradient: add_middle_gradient.
class PairFriction : public FrictionTerm
{
public:
  /// Collective.
  PairFriction(std::shared_ptr<const RubbingSurfaces> surfaces, Staged staged);

  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override { surfaces->couple(join); }
  std::uint64_t revision() const override { return surfaces->revision(); }
  void remember(const At &at) const override;
  void renew(const At &at) const override;
  Rubbing rubbing(const Vector &q, const double *history) const override;
  void add_shear(const Vector &q, const double *history, SurfaceSums &sums) const override;
  std::vector<ContactRub> rubs(const Vector &q, const double *history) const override;

private:
  static constexpr int piece = first_own, start = piece + 3, of_point = start + 2;
  /// x, y_0, y_1, y_2, or forces on them.
  template <class T>
  using Places = std::array<Arrow<T>, 4>;
  /// A point and its partner.
  struct Rub
  {
    int side, face;
    double w;  ///< its area [m²]
    std::array<const BodyPlace *, 4> at;
    const double *m;
  };

  Rub rub(std::size_t face, std::size_t point, const std::array<int, 3> &vertices, const double *m) const;
  /// The same of the partner that its memory holds.
  Rub rub(const std::size_t face, const std::size_t point, const double *m) const
  {
    return rub(face, point, {int(m[piece]), int(m[piece + 1]), int(m[piece + 2])}, m);
  }
  /// Calls visit(rub) for points that were closed at the start of the step: of owned faces, or all.
  template <class Visit>
  void each_rub(const double *history, bool owned_only, const Visit &visit) const;
  Places<double> places(const Rub &rub, const Vector &u, bool with_X) const;
  /// w, and e.
  template <class T>
  std::array<T, 2> weights(const Places<T> &x) const;
  template <class T>
  Arrow<T> slip(const Places<T> &x, const std::array<T, 2> &S) const;
  template <class T>
  Places<T> pull(const Places<T> &x, const double *m, bool frozen) const;
  std::vector<RubbingSurfaces::Pressed> pressed(const At &at, RubbingSurfaces::Pieces pieces) const;
  template <class Visit>
  void each_memory(const At &at, const std::vector<RubbingSurfaces::Pressed> &pressed, const Visit &visit) const;
  Place slip_of(const Rub &rub, const Vector &q) const;
  template <int order>
  void add_derivative(const At &at, double factor, const Vector &u, Vector &r) const;

  std::shared_ptr<const RubbingSurfaces> surfaces;
  int pieces_have = 3;  ///< vertices: 2 in the plane
};
}  // namespace symdyn
