#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/contact/laws/contact_law.h"
#include "solver/actions.h"

namespace symdyn
{
/// A law that stages change: each has one of its own, of the same kind.
class StagedLaw : public ContactLaw
{
public:
  /// `of_stages`: of each stage, at least one; later stages have the last.
  StagedLaw(std::vector<std::shared_ptr<const ContactLaw>> of_stages, const Actions *actions) : laws(std::move(of_stages)), actions(actions)
  {
  }
  std::vector<std::string> entries() const override { return now().entries(); }
  std::array<std::string, 2> take(const ContactEntries &) override { return {}; }
  std::array<double, 5> at(const double g) const override { return now().at(g); }
  double least() const override { return now().least(); }
  double reach() const override { return now().reach(); }
  double scale(const double g) const override { return now().scale(g); }
  /// The largest, for rules of steps.
  double stiffness() const override
  {
    double k = 0;
    for (const auto &law : laws)
      k = std::max(k, law->stiffness());
    return k;
  }
  double over_modulus() const override { return now().over_modulus(); }
  bool is_barrier() const override { return now().is_barrier(); }
  bool closes_by_touching() const override { return now().closes_by_touching(); }
  int smoothness() const override
  {
    int least = laws.front()->smoothness();
    for (const auto &law : laws)
      least = std::min(least, law->smoothness());
    return least;
  }

private:
  const ContactLaw &now() const { return *laws[std::min(actions->stage, laws.size() - 1)]; }

  std::vector<std::shared_ptr<const ContactLaw>> laws;
  const Actions *actions;
};
}  // namespace symdyn
