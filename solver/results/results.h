#pragma once
#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "solver/results/extremes.h"
#include "solver/structure.h"

namespace symdyn
{
class Archive;

/// The folder of a run: log, history.csv, solution.pvd with its frames, summary.json. Only rank 0 writes what is not
/// distributed. Errors: InputError for a folder that cannot be made or is not empty; ComputationError for a failed write.
class Results
{
public:
  /// Of a folder that is there (prepare_folder); deletes nothing.
  explicit Results(std::string folder);
  /// Deletes the files of an earlier run (and nothing else), and the file of tables that the new one will write; call it when the new run
  /// is sure to start. Collective.
  void clear(const std::string &tables = "");

  /// Continues where the run stood that saved this: later rows and frames go. Errors: InputError if the files are not there.
  void resume(const Archive &archive);
  /// Where history and collection stand.
  void save(Archive archive);

  void history_header(const std::vector<Column> &columns);
  /// 17 digits; flushed, so that a run that is stopped leaves whole lines.
  /// `counts`: for peaks.csv.
  void history_row(const std::string &stage_column_text, const std::vector<double> &before, const std::vector<double> &after, bool counts);
  /// A frame at `time`; the collection is rewritten whole each time, so it can be opened while the run goes on.
  void frame(const Structure &structure, const State &state, double time);
  void summary(const nlohmann::json &content);
  /// Tables of the structure (structure.h), at the end of their file.
  void append(const std::string &name, const std::string &text);
  /// A file of a stage's own ("modes-forms.csv"), written whole.
  void file(const std::string &name, const std::string &content) const { replace(name, content); }
  using Collection = std::vector<std::pair<double, std::vector<std::string>>>;  ///< times, files of the parts
  static void put(Archive archive, const Collection &frames);
  static Collection collection_in(const Archive &archive);
  /// A collection beside solution.pvd, of files that are there.
  void collection_of(const std::string &name, const Collection &frames) const;
  /// "modes-forms" for a stage "forms": the start of the names of its files.
  static std::string stem(const std::string &kind, const std::string &stage);
  /// peaks.csv: of each column the least and the largest value of the rows that count, with their times.
  void peaks() const;
  /// maxima.pvd with its files, if the structure has envelopes.
  void maxima(const Structure &structure, double time) const;

  /// Collective. Errors: ComputationError if a file that this run has written is gone.
  void check_files() const;

  const std::string &folder() const { return path; }
  unsigned int frames() const { return unsigned(collection.size()); }
  bool has_frame_at(double time) const { return !collection.empty() && collection.back().first == time; }

private:
  void replace(const std::string &name, const std::string &content) const;
  /// Removes a file of ours, on rank 0.
  void remove(const std::string &name) const;
  /// On rank 0: "" or which of these files, or of those that stay open, is gone.
  std::string lost(const std::vector<std::string> &more) const;
  /// On rank 0: opens a file of an earlier run to go on where it had this length; "" or what is wrong.
  std::string open_at(const std::string &name, std::uintmax_t length, std::ofstream &stream) const;
  /// solution.pvd, quadrature.pvd, contact.pvd, of the files whose names begin so.
  void write_collection() const;

  std::string path;
  bool root;
  std::ofstream history, tables;
  std::string tables_name;
  Extremes extremes;
  Collection collection;
  double looked = 0;  ///< for files that are gone: wall time [s]
};
}  // namespace symdyn
