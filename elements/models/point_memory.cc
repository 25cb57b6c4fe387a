#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/models/points.h"
#include "solver/base/units.h"

// Elements of points that remember, as reports show them: on every rank.
namespace symdyn
{
namespace
{
/// A term that uses these variables.
struct WithMemory
{
  std::vector<double> m;
  std::shared_ptr<const DiscreteTerm> term;
};

const ElementMemory *memory_of(const std::shared_ptr<DiscreteTerm> &term) { return dynamic_cast<const ElementMemory *>(term.get()); }
}  // namespace

std::vector<double> Points::memory(const std::size_t number, const HistoryPointer &history) const
{
  const ElementMemory &elements = *memory_of(all.terms[number]);
  std::vector<double> m(elements.variables() * elements.elements(), 0.);
  const auto *histories = static_cast<const TermHistories *>(history.get());
  term->layout().add_owned(number, histories ? histories->of(place) : nullptr, m);
  dealii::Utilities::MPI::sum(m, space->communicator(), m);
  return m;
}

std::vector<std::shared_ptr<const DiscreteTerm>> Points::terms(const HistoryPointer &history) const
{
  std::vector<std::shared_ptr<const DiscreteTerm>> frozen;
  for (std::size_t i = 0; i < all.terms.size(); ++i)
    if (const ElementMemory *elements = memory_of(all.terms[i]))
    {
      const auto one = std::make_shared<WithMemory>();
      one->m = memory(i, history);
      one->term = elements->in_step({one->m.data()});
      frozen.emplace_back(one, one->term.get());
    }
    else
      frozen.push_back(all.terms[i]);
  return frozen;
}

std::vector<Column> Points::columns(const Units &units) const
{
  std::vector<Column> columns;
  for (const auto &one : all.terms)
    if (const ElementMemory *elements = memory_of(one); elements && elements->reported)
      for (std::size_t i = 0; i < elements->elements(); ++i)
      {
        const std::string name = elements->elements() == 1 ? one->name : fmt::format("{}.{}", one->name, i);
        columns.push_back({name + ".elongation", units.length});
        columns.push_back({name + ".force", units.force});
        columns.push_back({name + ".plastic", units.length});
      }
  return columns;
}

std::vector<double> Points::values(const State &state) const
{
  std::vector<double> values, x;
  for (std::size_t i = 0; i < all.terms.size(); ++i)
    if (const ElementMemory *elements = memory_of(all.terms[i]); elements && elements->reported)
    {
      if (x.empty())
        x = coordinates(state.q);
      const std::vector<double> m = memory(i, state.history);
      for (std::size_t k = 0; k < elements->elements(); ++k)
      {
        const ElementMemory::Report report = elements->report(k, x.data(), m.data());
        values.insert(values.end(), {report.elongation, report.force, report.plastic});
      }
    }
  return values;
}
}  // namespace symdyn
