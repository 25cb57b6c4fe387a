#include <algorithm>

#include "elements/contact/obstacles/shaped_obstacle.h"

namespace symdyn
{
/// A box along the axes, its edges and corners rounded by r: with q_d = |x_d - c_d| - (s_d/2 - r) the distance is |max(q, 0)| - r outside
/// of the inner box. The curvature jumps where faces meet edges: two continuous derivatives less than a plane has.
class BoxObstacle : public ShapedObstacle<BoxObstacle>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Centre", centre, "of sphere, box: its centre [m]");
    p.add("Size", size, "of box: lengths along x, y, z [m]", positive());
    p.add("Rounding", r, "of box: radius of its edges and corners [m]", positive());
    if (size.empty())
      p.fail("Size", "Type = box needs its Size: lengths along x, y, z [m]");
    if (r == 0.)
      p.fail("Rounding", "Type = box needs the Rounding of its edges [m]: a sharp edge has no normal");
    if (2. * r > *std::min_element(size.begin(), size.end()))
      p.fail("Rounding", "is larger than half of the shortest Size. Lower it");
  }
  void prepare(const int dimension, const Parameters &p) override
  {
    n = dimension;
    if (int(size.size()) != n || (!centre.empty() && int(centre.size()) != n))
      p.fail(int(size.size()) != n ? "Size" : "Centre", "needs as many components as the body has dimensions, separated by commas");
    for (std::size_t d = 0; d < centre.size(); ++d)
      c[d] = centre[d];
  }
  template <class T>
  T distance(const std::array<T, 3> &x) const
  {
    using formula::value_of;
    T sum(0.), last(0.), most(0.);
    int beyond = 0;
    for (int d = 0; d < n; ++d)
    {
      const T y = x[d] - T(c[d]), q = (value_of(y) < 0. ? -y : y) - T(0.5 * size[d] - r);
      if (d == 0 || value_of(q) > value_of(most))
        most = q;
      if (value_of(q) <= 0.)
        continue;
      sum = sum + q * q;
      last = q;
      ++beyond;
    }
    return (beyond == 0 ? most : beyond == 1 ? last : root(sum)) - T(r);
  }
  bool smooth() const override { return false; }
  double depth() const override { return r; }
  std::vector<std::array<Place, 4>> drawing(const Place &, double) const override
  {
    if (n < 3)
      return {};
    std::vector<std::array<Place, 4>> all;
    constexpr std::array<std::array<double, 2>, 4> sides{{{-1., -1.}, {1., -1.}, {1., 1.}, {-1., 1.}}};
    for (int d = 0; d < 3; ++d)
      for (const double face : {-0.5, 0.5})
      {
        std::array<Place, 4> corners;
        for (int k = 0; k < 4; ++k)
          for (int e = 0; e < 3; ++e)
            corners[k][e] = c[e] + (e == d ? face * size[e] : 0.5 * sides[k][(e - d + 2) % 3] * size[e]);
        all.push_back(corners);
      }
    return all;
  }

private:
  std::vector<double> centre, size;
  double r = 0;
  int n = 3;
  Place c{};
};
SYMDYN_REGISTER(Obstacle, BoxObstacle, "box");
}  // namespace symdyn
