// A program for each width of `Wide` (2, 4 and 8 lanes): its name is the instruction set that it is compiled for. Exit
// code 77 where this processor lacks it.
#include <cstdio>
#include <vector>

#include "elements/cells/lane_transfer.h"

namespace
{
using namespace symdyn;

bool runs_here()
{
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

/// Entry m of lane l is 100 l + m.
int wrong_after_unpacking()
{
  Wide in[8];
  const int stride = 11;
  std::vector<double> out(stride * lanes, -1.);
  for (int m = 0; m < 8; ++m)
    for (int lane = 0; lane < lanes; ++lane)
      in[m].set(lane, 100. * lane + m);
  unpack_lanes(in, stride, out.data());
  int wrong = 0;
  for (int lane = 0; lane < lanes; ++lane)
    for (int m = 0; m < stride; ++m)
      wrong += out[stride * lane + m] != (m < 8 ? 100. * lane + m : -1.);
  return wrong;
}

/// Node n has the values 3 n, 3 n + 1, 3 n + 2; what is gathered and added to zeros is those again.
int wrong_after_a_round()
{
  std::vector<double> values(3 * lanes), sum(3 * lanes, 0.);
  std::vector<unsigned int> node(lanes);
  for (int lane = 0; lane < lanes; ++lane)
    node[lane] = lanes - 1 - lane;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 1. + i;
  Wide u[3];
  load_node<3>(values.data(), node.data(), u);
  add_to_node<3>(u, node.data(), lanes - 1, sum.data());
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    wrong += sum[i] != (i < 3 ? 0. : values[i]);  // node 0 is in the lane that is not filled
  return wrong;
}
}  // namespace

int main()
{
  if (!runs_here())
  {
    std::puts("this processor lacks the instructions");
    return 77;
  }
  const int wrong = wrong_after_unpacking() + wrong_after_a_round();
  std::printf("%d lanes, %d wrong\n", lanes, wrong);
  return wrong != 0;
}
