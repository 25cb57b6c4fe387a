#pragma once
#include <array>
#include <vector>

#include "elements/contact/proxy_surface.h"
#include "elements/space.h"
#include "elements/term.h"

namespace symdyn
{
/// Boundaries that touch each other, as friction knows them: points of their faces, and flat pieces of the other boundary.
class RubbingSurfaces
{
public:
  virtual ~RubbingSurfaces() = default;

  /// A point near the other surface, and the piece of it that is nearest.
  struct Pressed
  {
    int face, point;            ///< their numbers
    double pressure;            ///< [Pa]; 0: open
    std::array<int, 3> vertex;  ///< of the piece; in 2-D the last is -1
  };
  /// Of all faces that this rank knows: at least the points that are pressed, ordered by their numbers. q: where the next step starts, or a
  /// place that this step has led to. `history`: of the contact.
  enum class Pieces
  {
    of_next_step,
    of_this_step
  };
  virtual std::vector<Pressed> pressed(const Vector &q, const double *history, Pieces pieces) const = 0;
  /// Whether a point that is no longer listed stays coupled with its piece.
  virtual bool keeps_partners() const = 0;

  virtual const ProxySurface &surface() const = 0;
  /// The part of the area of a point of this side on which friction acts.
  virtual double share_of(int side) const = 0;
  /// Whether they are two boundaries, not one that touches itself.
  virtual bool are_two() const = 0;
  virtual const Space &sites() const = 0;
  /// Local sites of the surfaces, ascending.
  virtual const std::vector<int> &sites_of_surfaces() const = 0;
  /// As of a Term.
  virtual void couple(const Couple &join) const = 0;
  virtual std::uint64_t revision() const = 0;

  /// Where a place of the body is, or its share of a field u.
  Place place(const BodyPlace &at, const Vector &u, const bool with_X) const
  {
    const int n = sites().block();
    Place x = with_X ? at.X : Place{};
    for (const auto &[site, weight] : at.sites)
      for (int d = 0; d < n; ++d)
        x[d] += weight * u.local_element(n * site + d);
    return x;
  }
  /// r += factor F at the sites of a place.
  void add(const BodyPlace &at, const double factor, const Place &F, Vector &r) const
  {
    const int n = sites().block();
    for (const auto &[site, weight] : at.sites)
      for (int d = 0; d < n; ++d)
        r.local_element(n * site + d) += factor * weight * F[d];
  }
};
}  // namespace symdyn
