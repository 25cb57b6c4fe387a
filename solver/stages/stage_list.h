#pragma once
#include <memory>
#include <vector>

#include "solver/stage.h"

namespace symdyn
{
/// The stages of a deck, in its order; one in time if it names none. Errors: InputError, for an order that means nothing, too.
std::vector<std::unique_ptr<Stage>> declare_stages(Parameters &root, const Newton &newton);
/// All that could stand in sections Time, Integrator and Stages.
void document_stages(Parameters &root);
/// All that could stand in a section Time and a section Integrator.
void document_motion(Parameters time, Parameters integrator);
}  // namespace symdyn
