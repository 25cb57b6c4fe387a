#include "elements/output/turned_frames.h"

namespace symdyn
{
namespace
{
constexpr std::size_t components_of_place = 3;

template <class Turn>
void append_turned(const std::vector<double> &from, const Turn &turn, std::vector<double> &to)
{
  for (std::size_t i = 0; i < from.size(); i += components_of_place)
    for (const double x : turn(Place{from[i], from[i + 1], from[i + 2]}))
      to.push_back(x);
}
}  // namespace

NodeFrame turned_frames(const CyclicSymmetry &whole, const int sectors, const std::function<NodeFrame(int k)> &frame)
{
  NodeFrame all = frame(0);
  all.fields.resize(1);
  for (int k = 1; k < sectors; ++k)
  {
    const NodeFrame one = frame(k);
    const double by = k * whole.angle();
    const auto before = std::int32_t(all.connectivity.size()), points = std::int32_t(all.places.values.size() / components_of_place);
    all.types.insert(all.types.end(), one.types.begin(), one.types.end());
    for (const std::int32_t end : one.ends)
      all.ends.push_back(before + end);
    for (const std::int32_t point : one.connectivity)
      all.connectivity.push_back(points + point);
    append_turned(
        one.places.values, [&](const Place &X) { return whole.turned_place(X, by); }, all.places.values);
    append_turned(
        one.fields[0].values, [&](const Place &u) { return whole.turned(u, by); }, all.fields[0].values);
  }
  return all;
}
}  // namespace symdyn
