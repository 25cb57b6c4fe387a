#include "solver/constraints.h"

namespace symdyn
{
void ConstraintRows::clear()
{
  start.assign(1, 0);
  column.clear();
  value.clear();
}

void ConstraintRows::add(const int coordinate, const double entry)
{
  column.push_back(coordinate);
  value.push_back(entry);
}

double ConstraintRows::times(const int i, const std::vector<double> &w) const
{
  double sum = 0;
  for (int k = start[i]; k < start[i + 1]; ++k)
    sum += value[k] * w[column[k]];
  return sum;
}

void ConstraintRows::add_transposed(const std::vector<double> &lambda, std::vector<double> &w) const
{
  for (int i = 0; i < size(); ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      w[column[k]] += value[k] * lambda[i];
}

void HolonomicConstraints::bending(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &w,
                                   std::vector<double> &c) const
{
  std::vector<double> one(size(), 0.);
  for (int i = 0; i < size(); ++i)
  {
    std::vector<double> r(u.size(), 0.);
    one[i] = 1.;
    curvature(u, one, w, r);
    one[i] = 0.;
    c[i] = 0.;
    for (std::size_t k = 0; k < u.size(); ++k)
      c[i] += v[k] * r[k];
  }
}
}  // namespace symdyn
