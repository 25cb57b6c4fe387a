#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/applied_load.h"
#include "elements/term.h"
#include "solver/spinning.h"

// Parts of a rotor whose forces depend on the speed of its frame.
namespace symdyn
{
/// A node of a rotor with a name.
struct RotorNode
{
  std::string name, where;  ///< where: file:line
  int site = -1;            ///< owned, on this rank; -1: of another one
};

/// A bearing.
class TermAtSpeed
{
public:
  virtual ~TermAtSpeed() = default;
  virtual std::shared_ptr<Term> at_speed(double speed) const = 0;
  virtual RotorNode node() const = 0;
  /// Why its forces are not those of a spring that is the same at all speeds, "Damping and k_xy"; empty: they are.
  virtual std::string why_uneven() const = 0;
  /// Frame = fixed: it has any coefficients, and the equations are those of a frame at rest.
  virtual bool is_fixed() const = 0;
  /// A skew part of K, of forces that have no potential and are among the applied ones: f += factor B u; A += factor B.
  virtual bool circulates() const = 0;
  /// 0 on ranks that do not own the node.
  virtual BearingForms forms(const Vector &real, const Vector &imaginary) const = 0;
  virtual void add_circulation(double factor, const Vector &u, Vector &f) const = 0;
  virtual void add_circulation_matrix(double factor, const MatrixSink &sink) const = 0;
};

template <class Visit>
void each_bearing(const std::vector<std::shared_ptr<Term>> &terms, const Visit &visit)
{
  for (const auto &term : terms)
    if (const auto *bearing = dynamic_cast<const TermAtSpeed *>(term.get()))
      visit(*bearing);
}

/// An unbalance.
class LoadAtSpeed
{
public:
  virtual ~LoadAtSpeed() = default;
  virtual std::shared_ptr<AppliedLoad> at_speed(double speed) const = 0;
  virtual RotorNode node() const = 0;
};
}  // namespace symdyn
