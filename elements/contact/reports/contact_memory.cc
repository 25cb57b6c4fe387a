#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/contact/contact_part.h"
#include "elements/contact/pair_term.h"
#include "elements/contact/segment_term.h"
#include "elements/contact/tied_term.h"

// What contacts keep in memory.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
double bytes_of_faces(const SegmentSurface &surface)
{
  return bytes_of(surface.faces, [](const SurfaceFace &face) { return bytes_of(face.nodes) + bytes_of(face.X); }) +
         bytes_of(surface.thickness) + bytes_of(surface.owned);
}

double bytes_of_points(const std::vector<SegmentPoint> &points)
{
  return bytes_of(points, [](const SegmentPoint &point) { return bytes_of(point.N) + bytes_of(point.M) + bytes_of(point.dM); });
}

void add_proxies(const ProxySurface &surface, ContactMemory &memory)
{
  memory.faces += bytes_of(surface.vertices, [](const BodyPlace &place) { return bytes_of(place.sites); });
  memory.faces += bytes_of(surface.faces, [](const ProxySurface::Face &face) { return bytes_of(face.pieces) + bytes_of(face.corners); });
  for (const ProxySurface::Face &face : surface.faces)
    memory.points += bytes_of(face.points, [](const ProxySurface::Point &point) { return bytes_of(point.at.sites); });
}
}  // namespace

ContactMemory SegmentTerm::memory() const
{
  ContactMemory memory{bytes_of_points(points) + (of_step ? bytes_of_points(*of_step) : 0.),
                       bytes_of_faces(pair.first) + bytes_of_faces(pair.second),
                       bytes_of(coupled) + bytes_of(searched) + bytes_of(all_sites)};
  add_proxies(pair.rubbing, memory);
  return memory;
}

ContactMemory TiedTerm::memory() const
{
  return {bytes_of(points, [](const Point &point) { return bytes_of(point.shares); }),
          bytes_of_faces(pair.first) + bytes_of_faces(pair.second), 0.};
}

ContactMemory ContactTerm::memory() const
{
  ContactMemory memory;
  memory.faces = bytes_of(pair.faces, [](const MeshFace &face) { return bytes_of(face.nodes) + bytes_of(face.X); });
  for (const MeshFace &face : pair.faces)
    memory.points += bytes_of(face.dA) + bytes_of(face.shape);
  return memory;
}

ContactMemory PairTerm::memory() const
{
  ContactMemory memory;
  add_proxies(surfaces.surface, memory);
  memory.lists = bytes_of(all_sites) + bytes_of(listed_vertices) +
                 bytes_of(near, [](const Near &one) { return bytes_of(one.others) + bytes_of(one.crossings); });
  memory.points += bytes_of(points, [](const PlaceBlock &of_face) { return of_face.bytes(); }) +
                   bytes_of(areas, [](const std::vector<double> &of_face) { return bytes_of(of_face); });
  memory.lists += bytes_of(touched.at) + bytes_of(touched.candidates_at) + bytes_of(touched.v) + bytes_of(touched.seen) +
                  bytes_of(touched.faces, [](const Touches &of_face) { return bytes_of(of_face.all) + bytes_of(of_face.candidates); });
  memory.faces += rows.bytes() + bytes_of(sites_of_pieces, [](const std::vector<int> &of_face) { return bytes_of(of_face); });
  return memory;
}

void ContactPart::describe_memory()
{
  const ContactMemory mine = term->memory();
  std::vector<double> all{mine.points, mine.faces, mine.lists};
  MPI::sum(all, space->communicator(), all);
  const auto size = [](const double bytes) {
    constexpr double kilo = 1e3, mega = 1e6;
    return bytes < mega ? fmt::format("{:.3g} kB", bytes / kilo) : fmt::format("{:.3g} MB", bytes / mega);
  };
  words += fmt::format(", memory {} (points {}, faces {}, lists of neighbours {})", size(all[0] + all[1] + all[2]), size(all[0]),
                       size(all[1]), size(all[2]));
}
}  // namespace symdyn
