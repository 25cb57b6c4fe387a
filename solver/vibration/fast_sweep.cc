#include "solver/vibration/fast_sweep.h"

#include <deal.II/lac/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr double nothing_new = 1e-12;  // of a vector's length
constexpr int passes = 2;

using Coordinates = std::vector<std::complex<double>>;

void add(const std::complex<double> factor, const std::vector<double> &x, Coordinates &sum)
{
  for (std::size_t i = 0; i < x.size(); ++i)
    sum[i] += factor * x[i];
}

double norm(const Coordinates &x)
{
  double square = 0.;
  for (const std::complex<double> &one : x)
    square += std::norm(one);
  return std::sqrt(square);
}
}  // namespace

FastSweep::FastSweep(SeparatedSystem given, std::vector<double> frequencies, const double tolerance, const Vector &layout,
                     const std::function<void(int solutions)> &progress)
    : system(std::move(given)),
      omega(std::move(frequencies)),
      layout(layout),
      AV(system.operators.size()),
      reduced(AV.size()),
      image(AV.size()),
      force(system.drives.size()),
      reduced_force(force.size()),
      answers(force.size(), std::vector<Answer>(omega.size()))
{
  for (std::size_t d = 0; d < system.drives.size(); ++d)
    for (const SeparatedSystem::Term &term : system.drives[d])
    {
      force[d].push_back(in_residuals(term.vector));
      reduced_force[d].emplace_back();
    }
  if (!Q.empty())  // else nothing drives
    find_basis(tolerance, progress);
}

void FastSweep::find_basis(const double tolerance, const std::function<void(int solutions)> &progress)
{
  std::vector<char> done(omega.size(), 0);
  const auto take = [&](const std::size_t k) {
    done[k] = 1;
    std::vector<ComplexVector> exact;
    try
    {
      exact = system.solve(omega[k]);
    }
    catch (const ComputationError &error)
    {
      why = error.what();
      return;
    }
    for (const ComplexVector &u : exact)
      for (const Vector *part : {&u.real, &u.imaginary})
        extend(*part);
    progress(++solved);
  };
  take(0);
  if (omega.size() > 1)
    take(omega.size() - 1);
  while (true)
  {
    if (!V.empty())
      solve_all();
    if (!V.empty() && largest_residual() <= tolerance)
      return;
    const std::size_t next = worst(done);
    if (next == omega.size())
      break;
    take(next);
  }
  if (V.empty())
    throw ComputationError("no frequency of the sweep has a solution: " + why);
}

std::vector<double> FastSweep::in_residuals(Vector x)
{
  std::vector<double> all(Q.size(), 0.);
  const double length = x.l2_norm();
  for (int pass = 0; pass < passes && length > 0.; ++pass)
    for (std::size_t i = 0; i < Q.size(); ++i)
    {
      const double part = Q[i] * x;
      x.add(-part, Q[i]);
      all[i] += part;
    }
  if (const double left = x.l2_norm(); left > nothing_new * length)
  {
    x /= left;
    Q.push_back(std::move(x));
    all.push_back(left);
  }
  return all;
}

void FastSweep::extend(Vector x)
{
  const double square = omega.back() * omega.back();
  Vector Kx(x), Mx(x);
  const auto length = [&](const Vector &of) {  // and the product of the symmetric part, with AV: K of a rotor may have a skew one
    system.operators[0].product(of, Kx);
    system.operators[1].product(of, Mx);
    Kx.add(square, Mx);
    return of * Kx;
  };
  const double before = length(x);
  if (before == 0.)
    return;
  double after = before;
  if (!(before > 0.))
    throw ComputationError(
        "K + omega^2 M of the highest frequency is not positive definite: the state is far from stable. Use Method = direct");
  for (int pass = 0; pass < passes; ++pass)
  {
    std::vector<double> parts;
    for (std::size_t i = 0; i < V.size(); ++i)
      parts.push_back(0.5 * (V[i] * Kx + x * AV[0][i] + square * (x * AV[1][i])));
    for (std::size_t i = 0; i < V.size(); ++i)
      x.add(-parts[i], V[i]);
    after = length(x);
  }
  if (!(after > nothing_new * nothing_new * before))
    return;
  x /= std::sqrt(after);
  append(x);
}

void FastSweep::append(const Vector &x)
{
  V.push_back(x);
  const std::size_t n = V.size();
  for (std::size_t k = 0; k < AV.size(); ++k)
  {
    Vector y(x);
    system.operators[k].product(x, y);
    reduced[k].emplace_back();
    for (std::size_t i = 0; i + 1 < n; ++i)
    {
      reduced[k][i].push_back(V[i] * y);
      reduced[k].back().push_back(x * AV[k][i]);
    }
    reduced[k].back().push_back(x * y);
    image[k].push_back(in_residuals(y));
    AV[k].push_back(std::move(y));
  }
  for (std::size_t d = 0; d < force.size(); ++d)
    for (std::size_t term = 0; term < force[d].size(); ++term)
      reduced_force[d][term].push_back(V.back() * system.drives[d][term].vector);
}

void FastSweep::solve_all()
{
  for (std::size_t k = 0; k < omega.size(); ++k)
    solve_at(k);
}

bool FastSweep::factor(const std::vector<Complex> &c, SmallMatrix &Z) const
{
  for (std::size_t i = 0; i < V.size(); ++i)
    for (std::size_t j = 0; j < V.size(); ++j)
    {
      Complex sum = 0.;
      for (std::size_t o = 0; o < c.size(); ++o)
        sum += c[o] * reduced[o][i][j];
      Z(i, j) = sum;
    }
  try
  {
    Z.compute_lu_factorization();
  }
  catch (const dealii::LACExceptions::ExcSingular &)
  {
    return false;
  }
  return true;
}

void FastSweep::solve_at(const std::size_t k)
{
  const std::size_t n = V.size();
  std::vector<Complex> c;
  for (const SeparatedSystem::Operator &one : system.operators)
    c.push_back(one.coefficient(omega[k]));
  SmallMatrix Z(n, n);
  if (!factor(c, Z))
  {
    for (std::vector<Answer> &of_drive : answers)
      of_drive[k] = {std::vector<Complex>(n, 0.), std::numeric_limits<double>::infinity()};
    return;
  }
  for (std::size_t d = 0; d < force.size(); ++d)
  {
    dealii::Vector<Complex> y(n);
    std::vector<Complex> left(Q.size(), 0.);  // F - Z u
    for (std::size_t term = 0; term < force[d].size(); ++term)
    {
      const Complex g = system.drives[d][term].coefficient(omega[k]);
      add(g, force[d][term], left);
      for (std::size_t i = 0; i < n; ++i)
        y(i) += g * reduced_force[d][term][i];
    }
    const double size = norm(left);
    Z.solve(y);
    Answer &answer = answers[d][k];
    answer.y.assign(y.begin(), y.end());
    for (std::size_t o = 0; o < c.size(); ++o)
      for (std::size_t i = 0; i < n; ++i)
        add(-c[o] * answer.y[i], image[o][i], left);
    answer.residual = size > 0. ? norm(left) / size : 0.;
  }
}

std::size_t FastSweep::worst(const std::vector<char> &done) const
{
  std::size_t found = omega.size();
  double largest = -1.;
  for (std::size_t k = 0; k < omega.size(); ++k)
    for (const std::vector<Answer> &of_drive : answers)
      if (!done[k] && !(of_drive[k].residual <= largest))
      {
        largest = of_drive[k].residual;
        found = k;
      }
  return found;
}

double FastSweep::largest_residual() const
{
  double largest = 0.;
  for (const std::vector<Answer> &of_drive : answers)
    for (const Answer &answer : of_drive)
      if (!(answer.residual <= largest))
        largest = answer.residual;
  return largest;
}

ComplexVector FastSweep::at(const std::size_t drive, const std::size_t k) const
{
  ComplexVector u{layout, layout};
  u.real = 0.;
  u.imaginary = 0.;
  const std::vector<Complex> &y = answers[drive][k].y;
  for (std::size_t i = 0; i < y.size(); ++i)
  {
    u.real.add(y[i].real(), V[i]);
    u.imaginary.add(y[i].imag(), V[i]);
  }
  return u;
}
}  // namespace symdyn
