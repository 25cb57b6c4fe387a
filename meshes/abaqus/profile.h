#pragma once
#include <array>
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;

/// The section of a beam in the terms of the deck.
struct Profile
{
  std::string section;
  std::vector<double> size;
  std::array<double, 2> extent;  ///< along axes 1 and 2 [m]
  double shift = 0;              ///< of the centroid from the origin of the profile along axis 2 [m]
};

/// Of *BEAM SECTION or *BEAM GENERAL SECTION: SECTION and the sizes of its first line. Errors: InputError.
Profile profile_of(Job &job, const Keyword &card, const Line &line);
}  // namespace symdyn::abaqus
