#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solver/column.h"
#include "solver/dynamics/monitors.h"
#include "solver/results/continued_rotations.h"
#include "solver/results/results.h"
#include "solver/results/spectra.h"

namespace symdyn
{
/// A moment of a run, after a step or an increment.
struct Sample
{
  const State &state;
  const EnergyBalance &energy_balance;
  const StepReport &report;
  double length;                 ///< of the step [s], or part of a static stage
  const Integrator *integrator;  ///< null in a static stage
  double h;                      ///< step of the integrator [s]
  OutputTime time;
  double frame_time;  ///< [s]
  long planned;       ///< steps of the stage
  bool peaks;         ///< the stage counts for envelopes and peaks.csv
};

/// What a run writes, and when: rows of history.csv, frames, tables of the structure, files of stages. Deck section Output. Without a
/// folder it writes nothing.
class Recorder
{
public:
  void declare(Parameters p);
  /// Of this structure from now on. `slow_rows`: explicit steps have a row every tenth, unless the deck says more.
  void attach(Structure &structure, Monitors &monitors, const Units &units, bool slow_rows);

  /// Into a folder that is there.
  void open(const std::string &folder);
  /// A new run: files of an earlier one go, and history.csv gets its header. `log`: lines that open run.log. Errors: InputError for spectra
  /// of columns that there are not.
  void begin(const std::vector<std::string> &log);
  /// Files continue where they stood. Errors: InputError, also for files that are missing.
  void resume(const Archive &archive, const std::string &log);
  void save(Archive archive);

  /// Envelopes, tables, a row and a frame, where they are due or this is the last moment of a stage.
  void record(const Sample &sample);
  bool row_is_due(const State &state, const Integrator *integrator) const;
  bool frame_is_due(const State &state, double frame_time, long planned) const;
  /// The last good state.
  void last_frame(const State &state, double frame_time);

  /// Text for the end of the file of tables that the deck asks for.
  void print(const std::string &tables);
  /// A file of a stage's own.
  void file(const std::string &name, const std::string &content);
  /// Whether the deck wants fields.
  bool writes_fields() const { return write_every != "never"; }
  /// A field of displacements about a state, into files whose names begin with `stem`; with fields at the points of
  /// Structure::stresses().
  std::vector<std::string> shape(const Vector &shape, const std::string &stem, const std::vector<PointValues> &fields = {});
  /// Those of the sectors of a whole (DrawsSectors).
  std::vector<std::string> sectors(const std::vector<Vector> &shapes, const std::string &stem);
  void collection(const std::string &name, const Results::Collection &frames);

  /// Envelopes, peaks, spectra. Errors: ComputationError.
  void conclude(const State &state);
  void summary(const nlohmann::json &content);
  /// Errors: ComputationError if a file that was written is gone.
  void check_files() const;

  /// The folder; "" without one.
  std::string folder() const { return results ? results->folder() : ""; }
  /// What Output/Columns names: files that continue have the same columns.
  std::string more_columns() const;
  bool static_peaks = false;  ///< static stages count for peaks, too
  /// det F where it is smallest, at the frames so far; infinite where there are no cells or no frames.
  double smallest_determinant = std::numeric_limits<double>::infinity();

private:
  void declare_columns(Parameters &p);
  std::uint64_t rows_every(const Integrator *integrator) const;
  std::vector<Column> columns() const;
  void write_row(const Sample &sample, const State &shown);
  void write_frame(const State &shown, double frame_time);

  std::string write_every;
  long write_every_steps = 0;
  double write_every_seconds = 0, next_frame = 0;
  int history_every = 0;  ///< 0: by the scheme
  bool slow_rows = false;
  Spectra spectra;
  std::vector<std::pair<std::string, std::unique_ptr<HistoryColumns>>> more;  ///< that the deck asks for
  Structure *structure = nullptr;
  Monitors *monitors = nullptr;
  Units units;
  ContinuedRotations rotations;
  std::unique_ptr<Results> results;
};

/// `10` steps or `0.05 s`: the interval of an entry. `also`: what else it may be, for the error. Errors: InputError.
void read_interval(const Parameters &p, const std::string &entry, const std::string &given, const std::string &also, long &steps,
                   double &seconds);
/// A number > 0. Errors: InputError.
double positive_number(const std::string &text, const Parameters &p, const std::string &name, const std::string &also);
}  // namespace symdyn
