#pragma once
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "python/module/arrays.h"
#include "solver/run/run.h"
#include "solver/run/run_lock.h"

namespace symdyn::python
{
/// A run of a deck that Python steps. All functions are collective, but for those that copy the state.
class PythonRun
{
public:
  /// Errors: InputError of the deck; where the ranks have different decks.
  PythonRun(const std::string &deck, const std::vector<std::string> &settings);

  ~PythonRun();
  PythonRun(const PythonRun &) = delete;
  PythonRun &operator=(const PythonRun &) = delete;
  /// Frees mesh, system and state; all else is an error from now on.
  void close();
  /// Those that are: what they hold must go before MPI ends.
  static std::set<PythonRun *> &all();

  void build();
  std::string description();
  /// Into a folder, which is made; "": nothing is written.
  void start(const std::string &output, bool overwrite);
  /// One step. Returns "going", "done", or "interrupted" after Ctrl-C, with a checkpoint.
  std::string advance();
  void finish();
  void stop();
  /// All of it. Returns whether it was interrupted.
  bool run(const std::string &output, bool overwrite);

  double time() const { return open().state().t; }
  std::uint64_t steps() const { return open().state().n; }
  std::string stage() const { return open().stage_name(); }
  std::string stem() const { return deck->stem(); }
  /// Warnings since the last call.
  std::vector<std::string> take_warnings();

  int dimension() const { return block; }
  Array positions();
  /// Arrays by name: mesh.h.
  py::dict mesh();
  std::vector<int> nodes(const std::string &name);
  /// A row a node: displacement, velocity or acceleration.
  Array field(const std::string &which) const;
  /// Writes a frame of the present state into a folder; returns the names of the files.
  std::vector<std::string> write_frame(const std::string &folder);
  /// An array of a force at each of these nodes, which the next steps have.
  py::array add_force(const std::string &name, const std::vector<int> &nodes);
  void attach_force(const std::string &name, const std::vector<int> &nodes, const py::array &array);

private:
  struct NodalForce
  {
    std::string name;
    std::vector<int> sites;
    py::array_t<double> array;
    std::vector<double> held;
    std::shared_ptr<Vector> force;
  };
  /// The rows of nodes, and the sites that they are.
  void find_nodes();
  const Vector &vector(const std::string &which) const;
  Run &open() const;
  RunOptions options(const std::string &output) const;
  template <class Work>
  auto solve(const Work &work);
  /// Another run may have it now.
  void leave_folder();
  /// Takes what has been written into the arrays of forces.
  void take_forces();
  /// Else the run stops where it is, with a checkpoint, and InputError names the force.
  void require_finite_forces();
  /// close(), wherever it is.
  void release();

  std::unique_ptr<Deck> deck;
  std::vector<std::string> settings, warnings;
  std::unique_ptr<Run> whole;
  std::unique_ptr<RunLock> lock;
  int block = 0;
  std::vector<int> sites;  ///< of each node
  std::vector<NodalForce> forces;
};

/// The calls of all ranks where they differ, else {}. Collective. Inside a load or a scheme that a run calls nothing is compared: some
/// ranks may have no points of the load.
std::vector<std::string> different_calls(const std::string &call);

void bind_run(py::module_ &module);
}  // namespace symdyn::python
