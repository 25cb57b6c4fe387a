#pragma once
#include "solver/error.h"
#include "solver/stage.h"

namespace symdyn
{
/// Reads a section Integrator: the scheme, with its parameters, and those of other schemes, which stay unused. Errors: InputError.
void choose_scheme(Parameters section, const Newton *newton, TimeStepping &time);
/// Declares the entries of all schemes, for the deck reference.
void document_schemes(Parameters section);

/// Of a deck without entries: declarations are recorded before the missing ones are complained about.
template <class Declare>
void note_entries(const Declare &declare)
{
  try
  {
    declare();
  }
  catch (const InputError &)
  {
  }
}
}  // namespace symdyn
