#include "elements/files/drawn_frames.h"

#include <deal.II/base/mpi.h>

namespace symdyn
{
void add_drawn(const std::function<NodeFrame(const Vector &shape)> &frame, const std::vector<Vector> &shapes, const MPI_Comm communicator,
               DrawnShapes &all)
{
  const auto of_ranks = [communicator](const auto &mine) { return dealii::Utilities::MPI::all_gather(communicator, mine); };
  all.shapes.resize(shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k)
  {
    const NodeFrame one = frame(shapes[k]);
    for (const std::vector<double> &u : of_ranks(one.fields.front().values))
      all.shapes[k].insert(all.shapes[k].end(), u.begin(), u.end());
    if (k > 0)
      continue;
    const auto places = of_ranks(one.places.values);
    const auto types = of_ranks(one.types);
    const auto ends = of_ranks(one.ends), points = of_ranks(one.connectivity);
    for (std::size_t rank = 0; rank < places.size(); ++rank)
    {
      const auto first_point = std::int32_t(all.points()), first_end = std::int32_t(all.connectivity.size());
      all.places.insert(all.places.end(), places[rank].begin(), places[rank].end());
      all.types.insert(all.types.end(), types[rank].begin(), types[rank].end());
      for (const std::int32_t end : ends[rank])
        all.ends.push_back(first_end + end);
      for (const std::int32_t point : points[rank])
        all.connectivity.push_back(first_point + point);
    }
  }
}
}  // namespace symdyn
