#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *TRANSFORM: nodes whose components are along axes of their own (CalculiX manual, *TRANSFORM).
namespace symdyn::abaqus
{
namespace
{
class Transforms : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"TRANSFORM", Where::model, Options{"NSET", "TYPE"}}}; }
  Turn turn() const override { return Turn::axes; }
  void read(Job &job, const Keyword &card, Step *) override
  {
    const std::string type = upper(card.option("TYPE"));
    if (!type.empty() && type != "R" && type != "C")
      job.fail(card.line, "TYPE=" + type, "axes are of TYPE=R (rectangular) or C (cylindrical).");
    const Line &line = job.only_line(card, "six coordinates, of the points a and b");
    Transform transform{type == "C", {}, card.line};
    for (std::size_t i = 0; i < 6; ++i)
      transform.given[i] = job.real(line, i, "a coordinate of the points a and b");
    const auto &g = transform.given;
    const Triple a{g[0], g[1], g[2]}, b{g[3], g[4], g[5]}, along{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, normal = cross(a, b);
    constexpr double parallel = 1e-10;
    if (transform.cylindrical ? norm(along) == 0. : !(norm(normal) > parallel * norm(a) * norm(b)))
      job.fail(line.number, join(line.words),
               transform.cylindrical ? "a and b are one point: they give no axis."
                                     : "a and b are parallel, or one is zero: they span no plane.");
    const Triple third = transform.cylindrical ? along : normal;
    if (job.dim == 2 && std::hypot(third[0], third[1]) > parallel * norm(third))
      job.fail(line.number, join(line.words), "the third axis must be the normal of the plane of the body.");
    for (const std::size_t node : job.model.nodes_named(card))
      job.axes.of_node[node] = job.axes.transforms.size();
    job.axes.transforms.push_back(transform);
  }
};
SYMDYN_REGISTER(Translator, Transforms, "transform");
}  // namespace
}  // namespace symdyn::abaqus
