#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/models/discrete.h"
#include "solver/error.h"

// What holds a discrete structure: fixed points, and supports of its surface.
namespace symdyn
{
class Discrete::OfSupports : public StructureSupports
{
public:
  explicit OfSupports(Discrete &structure) : of(structure) {}

  std::vector<std::string> names() const override
  {
    std::vector<std::string> names;
    for (std::size_t s = 0; of.surface.any() && s < of.surface.supports()->all().size(); ++s)
      names.push_back(of.surface.supports()->all()[s].name);
    return names;
  }
  std::vector<std::string> standing() const override
  {
    return of.surface.any() ? of.surface.supports()->standing() : std::vector<std::string>();
  }
  void begin(const std::vector<bool> &hold, const std::vector<bool> &begin, const Vector &q) override
  {
    if (!of.surface.any())
      return;
    if (of.directors_name == "exact")
      throw InputError(of.where_directors +
                       ": supports change from stage to stage, for which Directors are elastic. Set that, or let all "
                       "stages have the same Supports");
    of.surface.supports()->begin(hold, begin, q);
    of.points->begin_supports(*of.assembled, std::vector<bool>(of.model.parts.equations.size(), true));
  }
  std::vector<std::string> columns() const override
  {
    std::vector<std::string> columns;
    for (const int k : of.sections.reported_supports())
      for (int d = 0; d < of.model.dimension(); ++d)
        columns.push_back(fmt::format("{}.R_{}", of.model.parts.points[k].name, "xyz"[d]));
    if (of.surface.any())
      for (const std::string &column : of.surface.supports()->columns())
        columns.push_back(column);
    return columns;
  }
  std::vector<double> sums(const Vector &force) const override
  {
    std::vector<double> sums;
    const int n = of.model.dimension();
    if (const std::vector<int> supports = of.sections.reported_supports(); !supports.empty())
    {
      const std::vector<double> on_points = of.points->gather(force);
      for (const int k : supports)
        sums.insert(sums.end(), on_points.begin() + n * k, on_points.begin() + n * (k + 1));
    }
    if (of.surface.any())
      for (const double sum : of.surface.supports()->sums(force))
        sums.push_back(sum);
    return sums;
  }

private:
  Discrete &of;
};

Discrete::Discrete() : of_supports(std::make_unique<OfSupports>(*this)) {}
}  // namespace symdyn
