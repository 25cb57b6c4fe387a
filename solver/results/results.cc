#include "solver/results/results.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "solver/archive.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/base/together.h"
#include "solver/error.h"

namespace symdyn
{
namespace fs = std::filesystem;

namespace
{
/// Of solution-00012.vtu, solution-00012.3.vtu, solution-00012-points.vtu, quadrature-00012.vtu, contact-00012.vtu: 12; -1 of a file that
/// is no frame.
long number_of_frame(const std::string &name)
{
  static const std::regex frame(R"((solution|quadrature|contact)-(\d{5,9})(-points|-parts)?(\.\d+)?\.p?vtu)");
  std::smatch match;
  return std::regex_match(name, match, frame) ? std::stol(match[2]) : -1;
}

/// What an earlier run leaves behind; nothing else in the folder is ever deleted.
bool is_ours(const fs::path &file)
{
  static const std::regex single(
      R"(((history|peaks|spectra)\.csv|(summary|progress)\.json|deck-as-run\.prm|(solution|quadrature|contact|maxima)\.pvd|checkpoint)(\.new)?|badge\.svg|report\.html|run\.log|deck\.prm|maxima(\.\d+)?\.p?vtu)");
  static const std::regex of_a_stage(R"((modes|harmonic)-[A-Za-z0-9-]*(\.csv|\.pvd|-[0-9]{5}(-points|-parts)?(\.[0-9]+)?\.p?vtu)(\.new)?)");
  const std::string name = file.filename();
  return std::regex_match(name, single) || std::regex_match(name, of_a_stage) || number_of_frame(name) >= 0;
}
}  // namespace

Results::Results(std::string folder) : path(std::move(folder)), root(dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0) {}

void Results::clear(const std::string &tables_to_come)
{
  std::error_code error;
  const std::string fault = root && !fs::is_directory(path, error) ? path + ": the folder was removed while the run started" : "";
  throw_collectively<ComputationError>(fault);
  if (!root)
    return;
  // Tables have a name of the deck's choice: the earlier run has left it in its summary.
  std::ifstream in(path + "/summary.json");
  const nlohmann::json earlier = nlohmann::json::parse(in, nullptr, false);
  const std::string named =
      earlier.is_object() && earlier.count("tables") > 0 && earlier.at("tables").is_string() ? earlier.at("tables").get<std::string>() : "";
  for (const std::string &name : {named, tables_to_come})
    if (const fs::path file = name; file.extension() == ".dat" && !file.has_parent_path())
      fs::remove(fs::path(path) / file, error);
  for (const auto &entry : fs::directory_iterator(path, error))
    if (is_ours(entry.path()))
      fs::remove(entry.path(), error);
}

void Results::put(Archive archive, const Collection &frames)
{
  std::vector<double> times;
  std::vector<long> numbers;
  std::vector<std::string> names;
  for (const auto &[time, files] : frames)
  {
    times.push_back(time);
    numbers.push_back(long(files.size()));
    names.insert(names.end(), files.begin(), files.end());
  }
  archive.put("times", times);
  archive.put("numbers of files", numbers);
  archive.put("files", names);
}

Results::Collection Results::collection_in(const Archive &archive)
{
  const auto times = archive.get<std::vector<double>>("times");
  const auto numbers = archive.get<std::vector<long>>("numbers of files");
  const auto names = archive.get<std::vector<std::string>>("files");
  Collection frames;
  auto name = names.begin();
  for (std::size_t i = 0; i < times.size(); ++i, name += numbers.at(i - 1))
    frames.emplace_back(times[i], std::vector<std::string>(name, name + numbers.at(i)));
  return frames;
}

void Results::save(Archive archive)
{
  put(archive.section("frames"), collection);
  extremes.save(archive.section("extremes"));
  archive.put("length of history", root ? long(history.tellp()) : 0L);
  archive.put("tables", tables_name);
  archive.put("length of tables", tables.is_open() ? long(tables.tellp()) : 0L);
}

std::string Results::open_at(const std::string &name, const std::uintmax_t length, std::ofstream &stream) const
{
  std::error_code error;
  const std::string file = path + "/" + name;
  const std::uintmax_t found = fs::file_size(file, error);
  if (error || found < length)
    return file + ": is not the one that the checkpoint goes on with: it is missing or shorter. Bring it back, or start from the beginning";
  fs::resize_file(file, length, error);
  stream.open(file, std::ios::app | std::ios::ate);
  return error || !stream ? file + ": cannot be written" : "";
}

void Results::resume(const Archive &archive)
{
  collection = collection_in(archive.section("frames"));
  extremes.load(archive.section("extremes"));
  std::string fault;
  if (root)
  {
    std::error_code error;
    for (const auto &[time, files] : collection)
      for (const std::string &name : files)
        if (fault.empty() && !fs::exists(path + "/" + name))
          fault =
              fmt::format("{}/{}: a frame of the run that is to go on is missing. Bring it back, or start from the beginning", path, name);
    if (fault.empty())
      fault = open_at("history.csv", archive.get<long>("length of history"), history);
    archive.get("tables", tables_name);
    if (fault.empty() && !tables_name.empty())
      fault = open_at(tables_name, archive.get<long>("length of tables"), tables);
    if (fault.empty())
      for (const auto &entry : fs::directory_iterator(path, error))
        if (number_of_frame(entry.path().filename()) >= long(collection.size()))
          fs::remove(entry.path(), error);
  }
  throw_collectively<InputError>(fault);
  write_collection();
}

void Results::history_header(const std::vector<Column> &columns)
{
  extremes = Extremes(columns);
  std::vector<std::string> titles;
  for (const Column &column : columns)
    titles.push_back(column.title());
  std::string fault;
  if (root)
  {
    history.open(path + "/history.csv");
    if (!(history << join(titles, ",") << std::endl))
      fault = path + "/history.csv: cannot be written. Was the folder removed, or is the disk full?";
  }
  throw_collectively<ComputationError>(fault);
}

void Results::history_row(const std::string &stage, const std::vector<double> &before, const std::vector<double> &after, const bool counts)
{
  if (counts)
    extremes.look(before.front(), after);
  std::string fault, line;
  for (const double value : before)
    line += fmt::format("{},", value);
  line += stage;
  for (const double value : after)
    line += fmt::format(",{}", value);
  if (root && !(history << line << '\n' << std::flush))
    fault = path + "/history.csv: a row could not be written (is the disk full?). The rows before it are complete";
  constexpr double interval = 1.;  // [s]
  if (root && fault.empty() && ScopedTimer::now() - looked > interval)
  {
    fault = lost({});
    looked = ScopedTimer::now();
  }
  throw_collectively<ComputationError>(fault);
}

std::string Results::lost(const std::vector<std::string> &more) const
{
  std::vector<std::string> names{"run.log", "history.csv"};
  if (tables.is_open())
    names.push_back(tables_name);
  names.insert(names.end(), more.begin(), more.end());
  std::error_code error;
  for (const std::string &name : names)
    if (!fs::exists(path + "/" + name, error))
      return fmt::format(
          "{}/{}: the file was removed during the run, so the results are not complete. Run again, and leave the folder alone until the run ends",
          path, name);
  return "";
}

void Results::check_files() const
{
  std::vector<std::string> frames;
  for (const auto &[time, files] : collection)
    frames.insert(frames.end(), files.begin(), files.end());
  throw_collectively<ComputationError>(root ? lost(frames) : "");
}

void Results::append(const std::string &name, const std::string &text)
{
  std::string fault;
  if (root && !tables.is_open())
  {
    tables_name = name;
    tables.open(path + "/" + name);
  }
  if (root && !(tables << text << std::flush))
    fault = fmt::format("{}/{}: could not be written (is the disk full?)", path, name);
  throw_collectively<ComputationError>(fault);
}

void Results::replace(const std::string &name, const std::string &content) const
{
  // A new file that takes the place of the old one: a reader never sees half of it.
  std::string fault;
  if (root)
  {
    const std::string next = path + "/" + name + ".new";
    std::error_code error;
    std::ofstream file(next);
    if (file << content << std::flush)
      fs::rename(next, path + "/" + name, error);
    if (!file || error)
      fault = fmt::format("{}/{}: could not be written (is the disk full, or the folder gone?)", path, name);
    if (!fault.empty())
      fs::remove(next, error);
  }
  throw_collectively<ComputationError>(fault);
}

void Results::frame(const Structure &structure, const State &state, const double time)
{
  if (has_frame_at(time))
    collection.pop_back();  // a later state at the same time: static after dynamic, or the last good state
  collection.emplace_back(time, structure.write_frame(state, path, collection.size()));
  write_collection();
}

std::string Results::stem(const std::string &kind, const std::string &stage)
{
  std::string name = kind + "-" + stage;
  for (char &c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return name;
}

namespace
{
std::string entry_of(const double time, const std::size_t part, const std::string &file)
{
  return fmt::format("<DataSet timestep=\"{:.12g}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", time, part, file);
}

std::string as_collection(const std::string &entries)
{
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n" + entries +
         "</Collection>\n</VTKFile>\n";
}
}  // namespace

void Results::write_collection() const
{
  for (const std::string kind : {"solution", "quadrature", "contact"})
  {
    std::string entries;
    for (const auto &[at, files] : collection)
    {
      std::size_t parts = 0;
      for (const std::string &file : files)
        if (file.rfind(kind + "-", 0) == 0)
          entries += entry_of(at, parts++, file);
    }
    // A run without frames has no collection: that of its last state, which it left when it was stopped, goes with the restart.
    entries.empty() ? remove(kind + ".pvd") : replace(kind + ".pvd", as_collection(entries));
  }
}

void Results::remove(const std::string &name) const
{
  std::error_code error;
  if (root)
    fs::remove(path + "/" + name, error);
}

void Results::collection_of(const std::string &name, const Collection &frames) const
{
  std::string entries;
  std::vector<std::string> all;
  for (const auto &[at, files] : frames)
    for (std::size_t part = 0; part < files.size(); ++part)
    {
      entries += entry_of(at, part, files[part]);
      all.push_back(files[part]);
    }
  throw_collectively<ComputationError>(root ? lost(all) : "");
  replace(name, as_collection(entries));
}

void Results::maxima(const Structure &structure, const double time) const
{
  std::string entries;
  const auto files = structure.write_maxima(time, path);
  for (std::size_t part = 0; part < files.size(); ++part)
    entries += entry_of(time, part, files[part]);
  if (!entries.empty())
    replace("maxima.pvd", as_collection(entries));
}

void Results::peaks() const { replace("peaks.csv", extremes.table()); }

void Results::summary(const nlohmann::json &content)
{
  replace("summary.json", content.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}
}  // namespace symdyn
