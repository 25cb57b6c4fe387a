#pragma once
#include "materials/algebra/wide.h"
#include "materials/inelastic/prony.h"

namespace symdyn
{
/// A step of length x = h/tau of a term, each lane its own x (RelaxationStep).
class LaneStep
{
public:
  LaneStep(const double x, const Wide *speed) : x(x), each(speed != nullptr)
  {
    const RelaxationStep same(each ? 0. : x);
    decay = same.decay;
    mean = same.mean;
    for (int lane = 0; each && lane < lanes; ++lane)
    {
      this->x.set(lane, x * (*speed)[lane]);
      const RelaxationStep own(this->x[lane]);
      decay.set(lane, own.decay);
      mean.set(lane, own.mean);
    }
  }
  Wide lost() const { return x * mean * (1. + decay); }
  Wide crossed() const { return x * mean * mean; }
  Wide gained() const
  {
    Wide g = RelaxationStep(x[0]).gained();
    for (int lane = 1; each && lane < lanes; ++lane)
      g.set(lane, RelaxationStep(x[lane]).gained());
    return g;
  }
  Wide decay, mean;

private:
  Wide x;
  bool each;
};
}  // namespace symdyn
