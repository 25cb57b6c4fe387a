#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "solver/constraints.h"

namespace symdyn
{
/// Two sets of constraints as one: the constraints and the coordinates of the first, then those of the second. Both must outlive this.
class JoinedConstraints : public HolonomicConstraints
{
public:
  JoinedConstraints(const HolonomicConstraints &first, const HolonomicConstraints &second) : first(first), second(second) {}

  int size() const override { return first.size() + second.size(); }
  std::string name(const int i) const override { return of(i).name(own(i)); }
  std::string where(const int i) const override { return of(i).where(own(i)); }
  int coordinates() const override { return first.coordinates() + second.coordinates(); }
  double length() const override { return std::max(first.length(), second.length()); }
  double length(const int i) const override { return of(i).length(own(i)); }
  double farthest(const std::vector<double> &u) const override { return std::max(first.farthest(front(u)), second.farthest(back(u))); }
  void gather(const Vector &x, std::vector<double> &w) const override
  {
    std::vector<double> rest;
    first.gather(x, w);
    second.gather(x, rest);
    w.insert(w.end(), rest.begin(), rest.end());
  }
  void scatter(const std::vector<double> &w, Vector &x) const override
  {
    first.scatter(front(w), x);
    second.scatter(back(w), x);
  }
  void scatter_all(const std::vector<double> &w, Vector &x) const override
  {
    first.scatter_all(front(w), x);
    second.scatter_all(back(w), x);
  }
  void values(const std::vector<double> &u, std::vector<double> &g) const override
  {
    std::vector<double> rest;
    first.values(front(u), g);
    second.values(back(u), rest);
    g.insert(g.end(), rest.begin(), rest.end());
  }
  void jacobian(const std::vector<double> &u, ConstraintRows &G) const override
  {
    ConstraintRows rest;
    first.jacobian(front(u), G);
    second.jacobian(back(u), rest);
    append(rest, G);
  }
  void discrete_jacobian(const std::vector<double> &u0, const std::vector<double> &u1, ConstraintRows &G) const override
  {
    ConstraintRows rest;
    first.discrete_jacobian(front(u0), front(u1), G);
    second.discrete_jacobian(back(u0), back(u1), rest);
    append(rest, G);
  }
  void bending(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &w,
               std::vector<double> &c) const override
  {
    std::vector<double> of_first(first.size()), rest(second.size());
    first.bending(front(u), front(v), front(w), of_first);
    second.bending(back(u), back(v), back(w), rest);
    c = of_first;
    c.insert(c.end(), rest.begin(), rest.end());
  }
  void curvature(const std::vector<double> &u, const std::vector<double> &lambda, const std::vector<double> &w,
                 std::vector<double> &r) const override
  {
    std::vector<double> of_first = front(r), rest = back(r);
    const auto middle = lambda.begin() + first.size();
    first.curvature(front(u), std::vector<double>(lambda.begin(), middle), front(w), of_first);
    second.curvature(back(u), std::vector<double>(middle, lambda.end()), back(w), rest);
    r = of_first;
    r.insert(r.end(), rest.begin(), rest.end());
  }

private:
  const HolonomicConstraints &of(const int i) const { return i < first.size() ? first : second; }
  int own(const int i) const { return i < first.size() ? i : i - first.size(); }
  std::vector<double> front(const std::vector<double> &w) const { return std::vector<double>(w.begin(), w.begin() + first.coordinates()); }
  std::vector<double> back(const std::vector<double> &w) const { return std::vector<double>(w.begin() + first.coordinates(), w.end()); }
  void append(const ConstraintRows &rows, ConstraintRows &G) const
  {
    for (int i = 0; i < rows.size(); ++i)
    {
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        G.add(first.coordinates() + rows.column[k], rows.value[k]);
      G.finish_row();
    }
  }

  const HolonomicConstraints &first, &second;
};
}  // namespace symdyn
