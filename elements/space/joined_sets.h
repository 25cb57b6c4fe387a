#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace symdyn
{
/// Sets of numbers 0, 1, ... that are joined two by two.
class JoinedSets
{
public:
  explicit JoinedSets(const std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }

  void join(const int a, const int b)
  {
    const int x = find(a), y = find(b);
    parent[std::max(x, y)] = std::min(x, y);
  }
  /// The least number of the set of a.
  int find(int a)
  {
    while (parent[a] != a)
      a = parent[a] = parent[parent[a]];
    return a;
  }
  /// Of each: the number of its set, 0, 1, ... in the order of their least members.
  std::vector<int> numbers()
  {
    std::vector<int> number(parent.size(), -1);
    int next = 0;
    for (std::size_t i = 0; i < parent.size(); ++i)
      number[i] = find(i) == int(i) ? next++ : number[find(i)];
    return number;
  }

private:
  std::vector<int> parent;
};
}  // namespace symdyn
