#include "solver/pictures/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "solver/error.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr double single_precision = 1e-5, seven_digits = 1e-6;

void print(const std::string &title, std::vector<Difference> differences, const double tolerance)
{
  std::stable_sort(differences.begin(), differences.end(), [](const Difference &x, const Difference &y) { return x.largest > y.largest; });
  std::size_t equal = 0, width = 6;
  for (const Difference &d : differences)
    width = std::max(width, d.name.size());
  fmt::print("{} (tolerance {:g})\n", title, tolerance);
  for (const Difference &d : differences)
    if (d.largest == 0. && d.note.empty())
      ++equal;
    else if (std::isinf(d.largest))
      fmt::print("  {:<{}}  DIFFERS  {}{}\n", d.name, width, d.note, d.first != 0. ? fmt::format(", first at {:.6g}", d.first) : "");
    else
      fmt::print("  {:<{}}  {:<7}  {:.2e} at {:.6g}{}{}\n", d.name, width, d.beyond ? "DIFFERS" : "same", d.largest, d.when,
                 d.beyond ? fmt::format(", first beyond the tolerance at {:.6g}", d.first) : "", d.note.empty() ? "" : "; " + d.note);
  fmt::print("  {} of {} are equal to the last bit\n", equal, differences.size());
}

bool is_within(const std::vector<Difference> &differences)
{
  return std::none_of(differences.begin(), differences.end(), [](const Difference &d) { return d.beyond; });
}

bool ends(const std::string &name, const std::string &ending) { return fs::path(name).extension() == ending; }

/// What a run leaves that can be compared: tables, then printed tables, then collections of frames; history.csv first.
std::vector<std::string> results_in(const std::vector<std::string> &folders)
{
  std::set<std::string> found;
  for (const std::string &folder : folders)
    for (const auto &entry : fs::directory_iterator(folder))
      if (const fs::path ending = entry.path().extension();
          entry.is_regular_file() && (ending == ".csv" || ending == ".dat" || ending == ".pvd"))
        found.insert(entry.path().filename());
  std::vector<std::string> names{"history.csv"};
  for (const char *ending : {".csv", ".dat", ".pvd"})
    for (const std::string &name : found)
      if (ends(name, ending) && name != names.front())
        names.push_back(name);
  return names;
}

/// A comparison in the making: what has been printed and found so far.
class Comparison
{
public:
  explicit Comparison(const CompareOptions &options) : options(options) {}

  void files(const std::string &title, const std::string &a, const std::string &b)
  {
    const std::string name = fs::path(a).filename();
    const bool frames = ends(name, ".pvd"), prints = ends(name, ".dat");
    const double tolerance = std::max(options.tolerance, frames ? single_precision : prints ? seven_digits : 0.);
    if (frames)
      judge(title, compare_frames(a, b, tolerance, name.rfind("modes-", 0) == 0), tolerance);
    else if (prints)
      judge(title, compare_prints(a, b, tolerance), tolerance);
    else
      tables(title, a, b);
  }

  void in_folders(const std::string &name)
  {
    const std::string a = options.a + "/" + name, b = options.b + "/" + name;
    if (ends(name, ".pvd") && !options.frames)
      return;
    if (fs::exists(a) != fs::exists(b) && name != "history.csv")
      judge(name, {Difference::of_kind("file", "only in " + (fs::exists(a) ? options.a : options.b))}, options.tolerance);
    else
      files(name, a, b);
  }

  /// Errors: InputError for names of columns that no table has.
  void check_names() const
  {
    for (const auto *names : {&options.columns, &options.ignored})
      for (const std::string &name : *names)
        if (!first.headers.empty() && known.count(name) == 0)
          first.column(name);  // says what there is
  }

  bool same = true;

private:
  void tables(const std::string &title, const std::string &file_a, const std::string &file_b)
  {
    const CsvTable a = CsvTable::read(file_a, true), b = CsvTable::read(file_b, true);
    const bool of_peaks = a.names[0] == "column" && b.names[0] == "column";
    for (const CsvTable *table : {&a, &b})
    {
      const auto &names = of_peaks ? table->texts[0] : table->names;
      known.insert(names.begin(), names.end());
    }
    if (first.headers.empty())
      first = a;
    judge(title, of_peaks ? compare_peaks(a, b, options) : compare_tables(a, b, options), options.tolerance);
  }

  void judge(const std::string &title, const std::vector<Difference> &differences, const double tolerance)
  {
    print(title, differences, tolerance);
    same = same && is_within(differences);
  }

  const CompareOptions &options;
  std::set<std::string> known;
  CsvTable first;
};
}  // namespace

int compare(const CompareOptions &options)
{
  for (const std::string &name : {options.a, options.b})
    if (!fs::exists(name))
      throw InputError(name +
                       ": there is no such folder or file. Give two folders of results, or two files of one kind (.csv, .dat, .pvd)");
  if (fs::is_directory(options.a) != fs::is_directory(options.b))
    throw InputError(
        fmt::format("{} and {}: one is a folder and one a file. Give two folders of results, or two files of one kind (.csv, .dat, .pvd)",
                    options.a, options.b));
  Comparison comparison(options);
  if (!fs::is_directory(options.a))
    comparison.files(options.a + " and " + options.b, options.a, options.b);
  else
    for (const std::string &name : results_in({options.a, options.b}))
      comparison.in_folders(name);
  comparison.check_names();
  fmt::print("{}\n", comparison.same ? "the same within the tolerance" : "different");
  return comparison.same ? 0 : 1;
}
}  // namespace symdyn
