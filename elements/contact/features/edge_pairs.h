#pragma once
#include <array>
#include <functional>
#include <vector>

#include "elements/contact/arrow.h"
#include "elements/contact/laws/contact_law.h"
#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// Two edges that may cross each other between their points.
struct EdgePair
{
  std::array<int, 4> vertex;  ///< ends of the first and of the second
  double weight;              ///< [m²]
  double parallel;            ///< c below which they count as parallel, and less [m⁴]
};

/// The sharp edges of a surface: those that end it, axes of beams, and those where it turns outward by more than 15 degrees. About others
/// the points on edges see the faces of the other body before edges meet. Axes have no faces: beside them all edges count, with the part
/// (1 - cos)/(1 - cos 15°) between ProxySurface::least_part and 1.
class SharpEdges
{
public:
  explicit SharpEdges(const ProxySurface &surface);
  bool empty() const { return all.empty(); }
  /// Pairs of edges that belong to `face` with those of the faces `others`. An edge belongs to the first face that has it. Of two
  /// surfaces: from faces of the first one; of one that touches itself each pair once.
  std::vector<EdgePair> pairs(int face, const std::vector<int> &others) const;

private:
  struct Edge
  {
    std::array<int, 2> vertex;
    double length;  ///< [m], undeformed
    double across;  ///< the length that counts in the weight; of axes the root of length times width, at most the length [m]
    double part;    ///< of the weight: 1 - cos of its turn, at most 1, or that beside axes
    int side;
  };
  bool is_one = true;  ///< one surface, which touches itself
  std::vector<Edge> all;
  std::vector<std::vector<int>> of_face;
};

/// The length of an axis of this size and width that counts in the weight of a crossing, the root of both, at most the size [m].
double across_axis(double size, double width);

/// Of the vertices of a surface beside an axis, where crossings fade: half of the weights of crossings with the edges there [m²].
std::vector<double> weights_of_vertices(const ProxySurface &surface, double across);

/// The nearest places of two lines, a + s (b - a) and c + t (d - c).
struct NearestOfLines
{
  double s = 0, t = 0;
  bool s_is_free = false, t_is_free = false;  ///< inside the line
  double distance = 0;                        ///< [m]
};

NearestOfLines nearest_of_lines(const std::array<Place, 4> &ends);

/// V = w m(c/c_0)² m(4 s (1 - s)) m(4 t (1 - t)) Phi(d - shift) of a pair with its ends at x that cross each other inside, at s and t:
///     r = x_a + s e - x_b - t f,   e, f along the edges,   d = |r|,   r·e = r·f = 0,   c = |e x f|²,   D = c
///     m(y) = y⁴ (35 - 84 y + 70 y² - 20 y³) up to y = 1, then 1
/// Ends of edges are points (up to degree 2), which see the other body: there m fades the crossing, and where edges are parallel, where the
/// direction of r jumps (as Li et al. 2020, eq. 25, have it; here with three continuous derivatives). c_0 = |e|²|f|²/4 of undeformed edges:
/// 30 degrees. dV/dx of the four ends, from the derivatives of r·e = r·f = 0:
///     (1 - s) F + λ r - E,   s F - λ r + E,   -(1 - t) F + μ r - H,   -t F - μ r + H,   F = V_d r/d - λ e - μ f
///     λ = (V_s ff + V_t ef)/D,   μ = -(V_t ee + V_s ef)/D,   E = 2 V_c (ff e - ef f),   H = 2 V_c (ee f - ef e)
class CrossedEdges
{
public:
  CrossedEdges(const EdgePair &pair, const std::array<Place, 4> &ends) : pair(pair), ends(ends), nearest(nearest_of_lines(ends)) {}
  double distance() const { return nearest.distance; }
  bool cross() const { return nearest.s_is_free && nearest.t_is_free; }
  /// On the first edge, of these places of its ends.
  Place on_first(const Place &first, const Place &second) const;
  /// Of edges that cross.
  double energy(const ContactLaw &law, double shift) const;
  /// dV/dx of the four ends, at places x that are `ends`, with derivatives of T. Defined for double, on_line<1>, on_line<2>, with_slopes.
  template <class T>
  std::array<Arrow<T>, 4> gradient(const std::array<Arrow<T>, 4> &x, const ContactLaw &law, double shift) const;

  const EdgePair &pair;
  const std::array<Place, 4> ends;

private:
  NearestOfLines nearest;
};
}  // namespace symdyn
