#include "elements/solid.h"
#include "solver/error.h"

// Supports that begin and go with the stages.
namespace symdyn
{
template <int dim>
std::vector<std::string> Solid<dim>::support_names() const
{
  std::vector<std::string> names;
  for (const auto &support : parts.supports->all())
    names.push_back(support.name);
  for (const Equation &equation : points.all_sections().model.parts.equations)
    names.push_back(equation.name);
  return names;
}

template <int dim>
std::vector<std::string> Solid<dim>::standing_supports() const
{
  std::vector<std::string> names;
  for (const auto &support : parts.supports->all())
    for (int d = 0; d < dim; ++d)
      if (support.motion.stands(d) && (names.empty() || names.back() != support.name))
        names.push_back(support.name);
  return names;
}

template <int dim>
void Solid<dim>::begin_supports(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q)
{
  const std::size_t of_body = parts.supports->all().size();  // equations stand behind them
  const auto middle = hold.begin() + of_body;
  finite_elements->begin_supports({hold.begin(), middle}, {begin.begin(), begin.begin() + of_body}, points.system() ? points.system()->of_body(q) : q);
  held_loads.check(*finite_elements);
  if (points.system())
    points.system()->begin_supports({middle, hold.end()});
}

template std::vector<std::string> Solid<2>::support_names() const;
template std::vector<std::string> Solid<3>::support_names() const;
template std::vector<std::string> Solid<2>::standing_supports() const;
template std::vector<std::string> Solid<3>::standing_supports() const;
template void Solid<2>::begin_supports(const std::vector<bool> &, const std::vector<bool> &, const Vector &);
template void Solid<3>::begin_supports(const std::vector<bool> &, const std::vector<bool> &, const Vector &);
}  // namespace symdyn
