#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "elements/contact/contact_part.h"
#include "elements/contact/segment_term.h"
#include "elements/contact/tied_term.h"
#include "elements/term_histories.h"
#include "solver/error.h"

// What printed tables have of a contact.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// a - (a·n) n, n of length 1.
Place across(const Place &a, const Place &n)
{
  const double along = dot(a, n);
  return {a[0] - along * n[0], a[1] - along * n[1], a[2] - along * n[2]};
}

Place middle_of_corners(const SurfaceFace &face)
{
  Place middle{};
  for (int a = 0; a < face.shape->corners; ++a)
  {
    std::vector<double> N(face.nodes.size());
    const FacePlace corners[] = {{0., 0.}, {1., 0.}, {0., 1.}, {1., 1.}};
    face.shape->evaluate(corners[a], N.data(), nullptr);
    for (std::size_t node = 0; node < N.size(); ++node)
      for (int d = 0; d < 3; ++d)
        middle[d] += N[node] * face.X[node][d] / face.shape->corners;
  }
  return middle;
}
}  // namespace

std::vector<ContactRow> SegmentTerm::rows(const Vector &q, const double *history) const
{
  std::vector<ContactRow> all;
  each_point(reported(), q, history, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const SurfaceFace &face = pair.first.faces[point.face], &other = pair.second.faces[point.other];
    const Frame<double> moved = frame(point, q, false);
    const Place N = cross(there[2], there[3]);
    const double g = gap(point, there), s = shift_of(point, history);
    ContactRow row;
    row.face = point.face;
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      for (int d = 0; d < 3; ++d)
        row.X[d] += point.N[a] * face.X[a][d];
    row.middle = pair.of_nodes ? row.X : middle_of_corners(face);
    row.x = there[0];
    row.n = times(other.outward / length(N), N);
    row.dA = point.dA;
    row.gap = g;
    row.pressure = -pair.law->at(g - s)[1];
    row.energy = point.dA * energy_about(*pair.law, g, s);
    row.slip = across(difference(moved[0], moved[1]), row.n);
    all.push_back(row);
  });
  return all;
}

std::vector<ContactRow> TiedTerm::rows(const Vector &q, const double * /*history*/) const
{
  std::vector<ContactRow> all;
  for (const Point &point : points)
    if (point.owned)
    {
      const Place w = parted(point, q);
      ContactRow row;
      row.face = point.face;
      row.middle = middle_of_corners(pair.first.faces[point.face]);
      row.X = row.x = point.X;
      const SurfaceFace &face = pair.first.faces[point.face];
      for (std::size_t a = 0; a < face.nodes.size(); ++a)
        for (int d = 0; d < n; ++d)
          row.x[d] += point.shares[a].of * q.local_element(n * point.shares[a].site + d);
      row.n = point.n;
      row.dA = point.dA;
      row.gap = dot(point.n, w);
      row.pressure = -pair.stiffness * row.gap;
      row.energy = 0.5 * point.dA * dot(w, traction(point, w));
      row.slip = across(w, point.n);
      row.drag = times(pair.aside, row.slip);
      all.push_back(row);
    }
  return all;
}

namespace
{
template <class T>
std::vector<T> of_all_ranks(const std::vector<T> &mine, const MPI_Comm communicator)
{
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all;
  const char *bytes = reinterpret_cast<const char *>(mine.data());
  for (const std::vector<char> &some : MPI::all_gather(communicator, std::vector<char>(bytes, bytes + mine.size() * sizeof(T))))
  {
    const std::size_t before = all.size();
    all.resize(before + some.size() / sizeof(T));
    std::copy(some.begin(), some.end(), reinterpret_cast<char *>(all.data() + before));
  }
  std::stable_sort(all.begin(), all.end(), [](const T &one, const T &two) { return one.face < two.face; });
  return all;
}
}  // namespace

const std::string &ContactPart::first_boundary() const
{
  if (!term->has_rows())
    deck->fail("Between", fmt::format("{}: tables are of contacts by segments or by nodes, whose points have one partner each. {}take the "
                                      "columns of history.csv",
                                      obstacle ? "has an obstacle" : "touches by points",
                                      obstacle ? "Leave it out of the table, and " : "Set Pairing = segments, or "));
  return boundaries.front();
}

ContactTable ContactPart::table(const State &state) const
{
  ContactTable table{boundaries.front(), against, of_nodes, {}, {}};
  if (is_off())
    return table;
  state.q.update_ghost_values();
  const MPI_Comm communicator = space->communicator();
  table.rows = of_all_ranks(term->rows(state.q, TermHistories::of(state, number_of_term)), communicator);
  if (!rubs)
    return table;
  table.rubs = of_all_ranks(rubs->rubs(state.q, TermHistories::of(state, number_of_term + 1)), communicator);
  for (ContactRow &row : table.rows)  // the stress of the point of friction that is nearest on its face
  {
    double least = std::numeric_limits<double>::max();
    const auto first = std::lower_bound(table.rubs.begin(), table.rubs.end(), row.face,
                                        [](const ContactRub &rub, const int face) { return rub.face < face; });
    for (auto rub = first; rub != table.rubs.end() && rub->face == row.face; ++rub)
      if (const double distance = length(difference(rub->X, row.X)); distance < least)
      {
        least = distance;
        row.drag = across(times(-1. / rub->dA, rub->force), row.n);
      }
  }
  return table;
}
}  // namespace symdyn
