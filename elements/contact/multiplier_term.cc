#include "elements/contact/multiplier_term.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/error.h"

namespace symdyn
{
void MultiplierTerm::have_multipliers(std::vector<FaceMemory::Face> of_faces, const double within, const std::string &contact,
                                      const MPI_Comm communicator)
{
  hard = true;
  faces = of_faces.size();
  memory = FaceMemory(std::move(of_faces), communicator);
  most = within;
  name = contact;
  ranks = communicator;
}

void MultiplierTerm::begin_history(double *history) const { std::fill_n(history, history_size(), 0.); }

std::vector<double> MultiplierTerm::mean_gaps(const Vector &q, const double *history) const
{
  std::vector<double> sums(faces), areas(faces);
  each_gap(q, [&](const std::size_t face, const double dA, const double g) {
    if (!(g < shift(history, face)))
      return;
    sums[face] += dA * g;
    areas[face] += dA;
  });
  for (std::size_t face = 0; face < faces; ++face)
    sums[face] = areas[face] > 0. ? sums[face] / areas[face] : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

void MultiplierTerm::remember(const At &at) const
{
  const std::vector<double> gaps = hard ? mean_gaps(*at.q, at.from) : std::vector<double>();
  for (std::size_t face = 0; face < gaps.size(); ++face)
    at.to[face] = std::isnan(gaps[face]) || !acts() ? 0. : shift(at.from, face);
}

bool MultiplierTerm::repeats(const At &at, const int times) const
{
  if (!hard)
    return false;
  double farthest = 0;
  for (const double g : mean_gaps(*at.q, at.from))
    if (std::abs(g) > farthest)
      farthest = std::abs(g);
  farthest = dealii::Utilities::MPI::max(farthest, ranks);
  constexpr int most_times = 100;
  if (farthest > most && times == most_times)
    throw ComputationError(
        fmt::format("contact '{}': after {} repetitions faces still pass each other by {}, and {}, 1e-3 of a "
                    "cell, is the rule. Set a larger Stiffness in Contact/{}, or Law = linear",
                    name, times, units.in_length(farthest), units.in_length(most), name));
  return farthest > most;
}

void MultiplierTerm::renew(const At &at) const
{
  const std::vector<double> gaps = mean_gaps(*at.q, at.from);
  for (std::size_t face = 0; face < gaps.size(); ++face)
    at.to[face] = std::isnan(gaps[face]) ? 0. : std::max(0., shift(at.from, face) - gaps[face]);
}
}  // namespace symdyn
