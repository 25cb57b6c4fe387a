#include "elements/contact/friction_term.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace symdyn
{
FrictionTerm::FrictionTerm(const int variables, const Entries entries, std::vector<Face> given, const MPI_Comm communicator)
    : entries(entries), faces(std::move(given)), variables(variables)
{
  int most = 0;
  for (const Face &face : faces)
  {
    start.push_back(end);
    end += variables * face.dA.size();
    most = std::max(most, int(face.dA.size()));
  }
  block = variables * dealii::Utilities::MPI::max(most, communicator);
  for (const bool owned : {true, false})
    for (std::size_t face = 0; face < faces.size(); ++face)
      if (faces[face].owned == owned)
        order.push_back(face);
}

Traits FrictionTerm::traits() const
{
  Traits traits;
  traits.history = true;
  return traits;
}

std::size_t FrictionTerm::history_size() const
{
  constexpr std::size_t aligned = 8;  // doubles: 64 bytes, which no Wide exceeds
  return (end + aligned - 1) / aligned * aligned;
}

void FrictionTerm::begin_history(double *history) const { std::fill_n(history, history_size(), 0.); }

Spent FrictionTerm::spent(const double *history) const
{
  Spent sum;
  for (std::size_t face = 0; face < faces.size(); ++face)
    for (std::size_t point = 0; faces[face].owned && point < faces[face].dA.size(); ++point)
      sum.dissipated += faces[face].dA[point] * history[place(face, point) + spent_here];
  sum.by_friction = sum.dissipated;
  return sum;
}

TermHistory::HistoryBlocks FrictionTerm::history_blocks() const
{
  HistoryBlocks blocks;
  blocks.doubles = block;
  for (const std::size_t face : order)
  {
    blocks.identities.push_back(faces[face].identity);
    blocks.owned += faces[face].owned;
  }
  return blocks;
}

void FrictionTerm::pack_history(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  for (const std::size_t face : order)
    if (faces[face].owned)
    {
      const std::size_t end_of_block = blocks.size() + block;
      blocks.insert(blocks.end(), history + start[face], history + start[face] + variables * faces[face].dA.size());
      blocks.resize(end_of_block, 0.);
    }
}

void FrictionTerm::unpack_history(const std::vector<double> &blocks, double *history) const
{
  if (blocks.size() != order.size() * block)
    throw std::logic_error("the history of another number of faces");
  begin_history(history);
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(blocks.begin() + i * block, variables * faces[order[i]].dA.size(), history + start[order[i]]);
}

namespace
{
constexpr double parted = 1e-300;  // Pa: a bound that holds nothing
}  // namespace

void FrictionTerm::bind(const double e, const double pressure, double *to) const
{
  to[bound] = std::max(entries.mu * std::max(pressure, 0.), parted);
  to[pending] = entries.law.energy(e, 0., true) - entries.law.energy(e, to[bound], false);
}

double FrictionTerm::take(const double *m, const double e, const double pressure, const bool may_stay, double *to) const
{
  const double stays = m ? entries.law.elastic(e, m[bound]) : 0.;
  const bool lets_go = pressure > 0. || (may_stay && m && m[bound] > parted && stays * e > 0.);
  to[bound] = lets_go ? std::max(entries.mu * std::max(pressure, 0.), parted) : 0.;
  const double elastic = lets_go ? entries.law.energy(stays * e, 0., true) : 0.;
  if (m)
    to[spent_here] += m[pending] + entries.law.energy(e, m[bound], false) - elastic;
  to[pending] = elastic - (lets_go ? entries.law.energy(stays * e, to[bound], false) : 0.);
  return stays;
}
}  // namespace symdyn
