#pragma once
#include "meshes/abaqus/job.h"

namespace symdyn::abaqus
{
/// The line CENTRIF of *DLOAD that turns the frame of the deck (section Rotation) in place of a force per mass: with NLGEOM, on the whole
/// body, in the first step, which is static, without AMPLITUDE, where no later step changes it and all steps can be computed in such a
/// frame (*STATIC, *FREQUENCY, *BUCKLE, *COMPLEX FREQUENCY). nullptr: there is none. *COMPLEX FREQUENCY may have the same line again.
const Line *line_of_frame(const Job &job);
}  // namespace symdyn::abaqus
