#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "elements/gram/gram_term.h"

namespace symdyn
{
class Parameters;

/// Which moments an end of a beam does not transmit: those about axes 1 and 2 of its section, and the torque, about axis 3 along it.
struct BeamRelease
{
  std::array<bool, 3> about{};

  /// What a deck names: moment 1, moment 2, torsion, moments, all. Nothing: it is none of these.
  static BeamRelease named(const std::string &name);
  /// Adds these. Errors: InputError for a name that is none, or whose moments are released already.
  void add(const std::string &name, const std::string &entry, const std::string &item, const Parameters &p);
  long count() const { return std::count(about.begin(), about.end(), true); }
  /// Of one that is released, where the others are not, or the other way round: its axis, from 0.
  int single(const bool released) const { return int(std::find(about.begin(), about.end(), released) - about.begin()); }
};

/// An end of an element with a release: its directors beside those of its node. Released about one axis, it shares the coordinates of the
/// director along that axis with the node; about two or three, its directors are its own.
struct BeamHinge
{
  std::size_t element;  ///< of the course
  std::size_t end;      ///< of its nodes
  BeamRelease release;
  std::string entry;  ///< of the deck

  std::vector<SiteSum> directors{};        ///< d_1, d_2, and the tangent where torsion alone is released
  std::vector<SitePlan::Site> own{};       ///< its own
  std::vector<SitePlan::Site> together{};  ///< these, and those of the node
  std::size_t turning = 0;                 ///< in the list of the beam of what turns as one
};
}  // namespace symdyn
