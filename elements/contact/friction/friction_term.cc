#include "elements/contact/friction/friction_term.h"

#include <algorithm>
#include <utility>

namespace symdyn
{
namespace
{
std::vector<FaceMemory::Face> kept(const int variables, const std::vector<FrictionTerm::Face> &faces)
{
  std::vector<FaceMemory::Face> all;
  for (const FrictionTerm::Face &face : faces)
    all.push_back({face.identity, face.owned, variables * face.dA.size()});
  return all;
}
}  // namespace

FrictionTerm::FrictionTerm(const int variables, Staged staged, std::vector<Face> given, const MPI_Comm communicator)
    : faces(std::move(given)), staged(std::move(staged)), variables(variables), memories(kept(variables, faces), communicator)
{
}

Traits FrictionTerm::traits() const
{
  Traits traits;
  traits.history = true;
  return traits;
}

bool FrictionTerm::repeats(const At &at, const int times) const
{
  At of_contact = at;
  of_contact.from = at.beside;
  return times < entries().repeats || (staged.contact && staged.contact->repeats(of_contact, times));
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

namespace
{
constexpr double parted = 1e-300;  // Pa: a bound that holds nothing
}  // namespace

void FrictionTerm::rest(const At &at) const
{
  begin_history(at.to);
  for (std::size_t face = 0; face < faces.size() && at.from; ++face)
    for (std::size_t point = 0; point < faces[face].dA.size(); ++point)
    {
      const double *m = at.from + place(face, point);
      at.to[place(face, point) + spent_here] = m[spent_here] + m[pending];
    }
}

void FrictionTerm::bind(const double e, const double pressure, double *to) const
{
  to[bound] = std::max(entries().mu * std::max(pressure, 0.), parted);
  to[pending] = entries().law.energy(e, 0., true) - entries().law.energy(e, to[bound], false);
}

double FrictionTerm::take(const double *m, const double e, const double pressure, const bool may_stay, double *to) const
{
  const double stays = m ? entries().law.elastic(e, m[bound]) : 0.;
  const bool lets_go = (pressure > 0. && entries().mu > 0.) || (may_stay && m && m[bound] > parted && stays * e > 0.);
  to[bound] = lets_go ? std::max(entries().mu * std::max(pressure, 0.), parted) : 0.;
  const double elastic = lets_go ? entries().law.energy(stays * e, 0., true) : 0.;
  if (m)
    to[spent_here] += m[pending] + entries().law.energy(e, m[bound], false) - elastic;
  to[pending] = elastic - (lets_go ? entries().law.energy(stays * e, to[bound], false) : 0.);
  return stays;
}
}  // namespace symdyn
