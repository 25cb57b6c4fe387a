#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/history.h"
#include "solver/linear/keeps_tangents.h"
#include "solver/run/run.h"
#include "solver/verify/system.h"

namespace symdyn
{
/// The structure of a deck as `symdyn verify` runs it: no loads, coarse enough for many steps, with a start that the time step
/// resolves and a tight Newton. Collective.
class VerifySubject
{
public:
  /// `lumped`: with the lumped mass, whatever the deck says. Errors: InputError of the deck.
  VerifySubject(const Deck &deck, std::size_t most_dofs, bool lumped);

  /// Damped as the deck says, or without damping. Of a body that remembers: as it is before it has lived through anything, elastic.
  const MechanicalSystem &damped() const { return frozen ? *frozen : run->structure().system(); }
  const MechanicalSystem &undamped() const { return *conservative; }
  /// With its memory, undamped; nullptr: it has none.
  HistoryPointer start_history() const { return virgin.history; }
  const MechanicalSystem *remembering_system() const { return frozen ? &run->structure().system() : nullptr; }
  KeepsTangents *keeps() const { return dynamic_cast<KeepsTangents *>(&run->structure().system()); }
  /// Of a name, with the parameters that the deck gives in its section. Errors: InputError.
  /// Whether the deck gives parameters of this scheme.
  bool has_entries(const std::string &name) const;
  std::unique_ptr<Integrator> scheme(const std::string &name, const MechanicalSystem &system) const;
  /// A time step that the scheme bears: h, or half of its critical one.
  double step_for(const Integrator &integrator, const MechanicalSystem &system) const;

  std::string own_scheme;  ///< that of the deck's first dynamic stage
  State start;             ///< q and v: smooth, and settled
  /// From where more flows than from the settled start.
  struct OtherStarts
  {
    State given;   ///< as the deck has it; v = 0: at rest
    State smooth;  ///< with the smooth velocity, not settled
  };
  OtherStarts other_starts;
  double h = 0;          ///< [s]
  double frequency = 0;  ///< of the start's motion, sqrt(v·Kv / v·Mv) [rad/s]
  double highest = 0;    ///< of the system [rad/s]
  std::size_t dofs = 0;
  double steps_factor = 1;           ///< < 1: too large, and could not be made coarser: fewer steps
  std::vector<std::string> remarks;  ///< what differs from the deck

private:
  void read(const Deck &given, const std::vector<std::string> &settings);
  void build(const Deck &given, std::size_t most_dofs, bool lumped);
  void leave_out_of_memory(Deck deck, std::size_t most_dofs, bool lumped);
  void make_start();
  void make_motion();  ///< smooth, of the size of the body, settled
  /// A few steps of Newmark's scheme with beta = 9/16, gamma = 1, which takes 2/3 in each of what oscillates faster than 1/h: what is
  /// left is a motion that all derivatives in time can follow, where orders can be measured.
  void settle();

  std::unique_ptr<Deck> deck;
  std::unique_ptr<Run> run;
  State virgin;
  std::unique_ptr<Increment> frozen;
  std::unique_ptr<ConservativeSystem> conservative;
};
}  // namespace symdyn
