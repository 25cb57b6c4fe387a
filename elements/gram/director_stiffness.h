#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "solver/base/number.h"
#include "solver/parameters.h"

namespace symdyn
{
/// The entry "Director stiffness" of beams and shells, and of Elements for all of them: how stiff the springs are that hold elastic
/// directors (director_model).
class DirectorStiffness
{
public:
  /// `over`: what the number is a multiple of. Errors: InputError unless it is auto, or a number > 0.
  void declare(Parameters &p, const std::string &over)
  {
    Parameters elements = p.root().section("Elements");
    take(elements, "of beams and shells that give none of their own: " + help("the largest stiffness of the section"));
    take(p, help(over));
  }
  /// Of a section, by its largest stiffness and that against shear, both in one unit, which the answer has.
  double of(const double largest, const double shear, const bool lumped) const
  {
    return factor ? *factor * largest : lumped ? shear : largest;
  }

private:
  static std::string help(const std::string &over)
  {
    return "what holds the directors to length 1 and to right angles: a number > 0, over " + over +
           "; auto: 1, and with Mass = lumped the shear stiffness of the section, so that explicit steps are as long as with exact directors";
  }
  void take(Parameters &p, const std::string &meaning)
  {
    std::string text = "auto";
    p.add("Director stiffness", text, meaning);
    if (!p.given("Director stiffness"))
      return;
    factor = number_from<double>(text);
    if (text != "auto" && !(factor && *factor > 0.))
      p.fail("Director stiffness", fmt::format("'{}' is neither auto nor a number > 0. Set auto, or a number as 0.2", text));
  }

  std::optional<double> factor;
};
}  // namespace symdyn
