#pragma once
#include <string>
#include <vector>

#include "solver/verify/subject.h"
#include "solver/verify/verify.h"

namespace symdyn
{
/// What a scheme must hold to with laws that remember, on a system of such laws. Rows:
///     second law            no step gives energy: dissipated + lost by the scheme >= -1e-14 of the energy
///     dissipation balance   energy + dissipated stays: to rounding of schemes with a discrete gradient, as h of others
///     order                 1 where laws flow, that of the scheme where they do not; two-sided
///     function              the force of an increment depends on q alone, not on what was asked before
///     accepted state        the force with which a step ends is that of its state with a frozen history (schemes that end at the law's
///                           point)
///     rollback              a step that fails leaves the history, the same object; a step repeated has the same bits
///     same as elastic       a motion so small that nothing flows is that of the frozen, elastic body
class MemoryCheck
{
public:
  /// `trial`: a system that remembers, without damping and loads; its start is smooth and settled. Where nothing flows from there, but from
  /// the given one of `others` (or the deck is at rest), a larger motion is looked at.
  MemoryCheck(std::string scheme, Integrator &integrator, Trial trial, const VerifySubject::OtherStarts *others = nullptr);
  std::vector<Finding> run();

private:
  void row(const std::string &property, const std::function<void(Finding &)> &measure);
  void choose_motion(const VerifySubject::OtherStarts *others);
  /// With the history after an increment that ends there: a start may stand outside of what the laws can bear, and flows first.
  State entered(State start) const;
  bool flows_from(const State &entered) const;
  void second_law(Finding &finding) const;
  void balance(Finding &finding) const;
  void order(Finding &finding) const;
  void function(Finding &finding) const;
  void accepted_state(Finding &finding) const;
  void step_afresh(State &state) const;
  void rollback(Finding &finding) const;
  void same_as_elastic(Finding &finding) const;

  struct Motion
  {
    double least_loss = 0, worst_step = 0, worst = 0, scale = 0;  ///< [J]; errors of the balance in a step, and over the run
    State end;
    Spent spent;
  };
  Motion motion(double h, int steps) const;
  /// Before a step in which something flows, if there is one.
  State before_flow() const;

  std::string scheme;
  Integrator &integrator;
  Trial trial;
  HistoryPointer virgin;
  Spent at_start;           ///< what laws had used when the motion begins
  bool rough = false;       ///< the start is not smooth
  std::string motion_used;  ///< of a larger motion: which one
  const Remembering &laws;
  std::vector<Finding> findings;
};

/// The rows on a small body that yields, with a memory that is right and with memories that are wrong in a known way.
std::vector<Finding> run_memory_controls();
}  // namespace symdyn
