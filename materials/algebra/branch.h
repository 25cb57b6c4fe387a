#pragma once
#include <type_traits>

#include "materials/algebra/jet.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Whether T is computed in lanes: Wide, or curves of it.
template <class T>
struct InLanes : std::false_type
{
};
template <>
struct InLanes<Wide> : std::true_type
{
};
template <class T>
struct InLanes<Dual<T>> : InLanes<T>
{
};
template <class T>
struct InLanes<Jet<T>> : InLanes<T>
{
};

/// a where x > limit, else b: lane by lane, or of one point (double, Sacado's types). Derivatives are those of the branch.
template <class T>
T where_above(const T &x, const double limit, const T &a, const T &b)
{
  if constexpr (InLanes<T>::value)
    return select(positive(T(x - T(limit))), a, b);
  else
    return x > limit ? a : b;
}
}  // namespace symdyn
