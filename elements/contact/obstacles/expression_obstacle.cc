#include "elements/contact/obstacles/shaped_obstacle.h"

namespace symdyn
{
/// The signed distance as a formula of x, y, z.
class ExpressionObstacle : public ShapedObstacle<ExpressionObstacle>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Distance", formula, "of expression: signed distance from the surface [m], positive on the free side, an expression of x, y, z");
    if (!p.given("Distance"))
      p.fail("Distance", "Type = expression needs the signed Distance, an expression of x, y, z [m]");
    if (formula.uses("t"))
      p.fail("Distance", "may not use t: give the Motion of the obstacle instead");
  }
  template <class T>
  T distance(const std::array<T, 3> &x) const
  {
    const T variables[] = {x[0], x[1], x[2], T(0.)};
    return formula(variables);
  }

private:
  Expression formula;
};
SYMDYN_REGISTER(Obstacle, ExpressionObstacle, "expression");
}  // namespace symdyn
