#pragma once

namespace symdyn
{
/// From now on SIGINT and SIGTERM are noted, for a run that ends after its step with a checkpoint. Where one operation takes long (a
/// factorisation, a mesh) that may be a while: a second signal, half a second after the first or later, ends the program at once. (mpirun
/// passes one signal on to each rank more than once.) SIGPIPE is ignored: a run whose output is closed (`symdyn run | head -1`, a lost
/// terminal) continues, and run.log has the rest.
void catch_signals();
/// Whether one came.
bool signal_came();
/// The name of a variable of the environment: the number of a process with which a run ends as by a signal, since nobody waits for it then.
constexpr const char *ends_with = "SYMDYN_ENDS_WITH";
/// Signals do again what they did before catch_signals(), and none has come. For a program that goes on after a run.
void release_signals();
}  // namespace symdyn
