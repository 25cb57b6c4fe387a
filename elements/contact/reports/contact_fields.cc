#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <tuple>

#include "elements/contact/contact_part.h"
#include "elements/files/node_files.h"
#include "elements/term_histories.h"
#include "solver/error.h"

// Fields on the surfaces of a contact: in frames, and at places.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Of a point of a face, from the sums at its nodes.
struct DrawnPoint
{
  Place u{}, slip{}, shear{};
  double pressure = 0, gap = 0;
};

DrawnPoint drawn_point(const SurfaceFace &face, const std::vector<double> &N, const Vector &q, const SurfaceSums &sums, const Space &space)
{
  DrawnPoint here;
  for (std::size_t a = 0; a < N.size(); ++a)
  {
    const std::size_t first = sums.dimension * face.nodes[a];
    const double area = sums.pressures.local_element(first + 1), closed = sums.gaps.local_element(first + 1),
                 rubbed = sums.areas.local_element(first);
    for (int d = 0; d < sums.dimension; ++d)
      here.u[d] += N[a] * q.local_element(first + d);
    if (space.is_director(face.nodes[a]))
      continue;
    here.pressure += area > 0. ? N[a] * sums.pressures.local_element(first) / area : 0.;
    here.gap += N[a] * (area > 0. ? sums.gaps.local_element(first) / area : sums.farthest);
    for (int d = 0; d < sums.dimension; ++d)
    {
      here.slip[d] += closed > 0. ? N[a] * sums.slips.local_element(first + d) / closed : 0.;
      here.shear[d] += rubbed > 0. ? N[a] * sums.shears.local_element(first + d) / rubbed : 0.;
    }
  }
  return here;
}
}  // namespace

SurfaceSums ContactPart::field_sums(const State &state, const int layer) const
{
  SurfaceSums sums{space->new_vector(), space->new_vector(), space->new_vector(), farthest_drawn, n, layer,
                   space->new_vector(), space->new_vector()};
  if (!is_off())
    term->add_fields(state.q, TermHistories::of(state, number_of_term), sums);
  if (!is_off() && rubs)
    rubs->add_shear(state.q, TermHistories::of(state, number_of_term + 1), sums);
  for (Vector *of : {&sums.pressures, &sums.gaps, &sums.slips, &sums.shears, &sums.areas})
  {
    of->compress(dealii::VectorOperation::add);
    of->update_ghost_values();
  }
  return sums;
}

void ContactPart::draw_surfaces(const State &state, NodeFrame &frame) const
{
  const std::array<SurfaceSums, 2> of_layers{field_sums(state, 0), field_sums(state, 1)};
  const std::size_t pressure = frame.field("contact_pressure", 1), gap = frame.field("contact_gap", 1),
                    slip = frame.field("contact_slip", 3), shear = frame.field("contact_shear", 3);
  for (const Facet &facet : facets_of(drawn->faces, n))
  {
    constexpr std::uint8_t vtk_line = 3, vtk_polygon = 7;
    const SurfaceFace &face = drawn->faces[facet.face];
    const SurfaceSums &sums = of_layers[drawn->layer[facet.face]];
    frame.add_cell(facet.x.size() == 2 ? vtk_line : vtk_polygon, facet.x.size());
    std::vector<double> N(face.nodes.size());
    for (std::size_t corner = 0; corner < facet.x.size(); ++corner)
    {
      face.shape->evaluate(facet.s[corner], N.data(), nullptr);
      const DrawnPoint here = drawn_point(face, N, state.q, sums, *space);
      for (int d = 0; d < 3; ++d)
      {
        frame.places.values.push_back(facet.x[corner][d]);
        frame.fields[0].values.push_back(here.u[d]);
        frame.fields[slip].values.push_back(here.slip[d]);
        frame.fields[shear].values.push_back(here.shear[d]);
      }
      frame.fields[pressure].values.push_back(std::max(here.pressure, 0.));
      frame.fields[gap].values.push_back(here.gap);
    }
  }
}

namespace
{
/// Where a place of the undeformed surface stands on a face.
struct PlaceOnFace
{
  double distance = std::numeric_limits<double>::max();  ///< of the place from the face [m]
  int face = 0;
  FacePlace s{};
};

PlaceOnFace place_on_faces(const std::vector<SurfaceFace> &faces, const int n, const Place &X)
{
  constexpr double rounding = 1e-9;
  PlaceOnFace nearest;
  for (const Facet &facet : facets_of(faces, n))
  {
    const SurfaceFace &face = faces[facet.face];
    const bool is_line = facet.x.size() == 2;
    FacePlace s = facet.s.front();
    if (!project_along(face, is_line ? 2 : n, facet.tangent, X, s))
      continue;
    const double second = is_line ? 0. : s[1], most = 1. + rounding;
    if (s[0] < -rounding || second < -rounding || s[0] > most || (face.shape->corners == 3 ? s[0] + second : second) > most)
      continue;
    if (const double distance = length(difference(X, place_on(face, s))); distance < nearest.distance)
      nearest = {distance, facet.face, s};
  }
  return nearest;
}
}  // namespace

std::function<SurfaceValue(const State &)> ContactPart::at_place(const Place &X, const std::string &where) const
{
  constexpr double beside = 1e-3;  // of the mean size of a face
  const MPI_Comm communicator = space->communicator();
  const PlaceOnFace here = place_on_faces(drawn->faces, n, X);
  std::tuple<double, unsigned int> best{std::numeric_limits<double>::max(), 0};
  unsigned int rank = 0;
  for (const double distance : MPI::all_gather(communicator, here.distance))
    best = std::min(best, {distance, rank++});
  const double size = MPI::max(drawn->faces.empty() ? 0. : mean_size(drawn->faces, n), communicator);
  const bool mine = MPI::this_mpi_process(communicator) == std::get<1>(best);
  const bool of_axis = mine && n == 3 && !drawn->faces.empty() && drawn->faces[here.face].shape->corners == 2;
  const double tube = MPI::max(of_axis ? largest_radius() : 0., communicator);
  if (!(std::get<0>(best) <= beside * size + tube))
    throw InputError(fmt::format("{}: the place is not on the surface of contact '{}'{}. Give a place of its boundaries", where, called,
                                 std::get<0>(best) < size ? fmt::format(", but {} off it", units.in_length(std::get<0>(best))) : ""));
  const int layer = MPI::max(mine ? drawn->layer[here.face] : 0, communicator);
  return [this, here, mine, communicator, layer](const State &state) {
    state.q.update_ghost_values();
    const SurfaceSums sums = field_sums(state, layer);
    std::vector<double> values(2 + n, 0.);
    if (mine)
    {
      const SurfaceFace &face = drawn->faces[here.face];
      std::vector<double> N(face.nodes.size());
      face.shape->evaluate(here.s, N.data(), nullptr);
      const DrawnPoint point = drawn_point(face, N, state.q, sums, *space);
      values[0] = point.gap;
      values[1] = std::max(point.pressure, 0.);
      std::copy_n(point.slip.begin(), n, values.begin() + 2);
    }
    MPI::sum(values, communicator, values);
    SurfaceValue value{values[0], values[1], {}};
    std::copy(values.begin() + 2, values.end(), value.slip.begin());
    return value;
  };
}
}  // namespace symdyn
