#include "meshes/geometry.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/sha256.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

extern char **environ;

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

/// Strings keep what looks like a comment.
std::string without_comments(const std::string &text)
{
  std::string code;
  for (std::size_t i = 0; i < text.size();)
  {
    const bool is_string = text[i] == '"', is_line = text.compare(i, 2, "//") == 0, is_block = text.compare(i, 2, "/*") == 0;
    const std::string end = is_string ? "\"" : is_line ? "\n" : is_block ? "*/" : "";
    const std::size_t last = end.empty() ? i + 1 : text.find(end, i + end.size());
    const std::size_t next = last == std::string::npos ? text.size() : is_line ? last : last + end.size();
    code += is_line || is_block ? " " : text.substr(i, next - i);
    i = next;
  }
  return code;
}

/// Files beside a geometry that strings of it name: included, merged, CAD.
std::vector<std::string> files_named_in(const std::string &code, const fs::path &folder)
{
  static const std::regex string(R"re("([^"\n]+)")re");
  std::vector<std::string> files;
  std::error_code error;
  for (auto found = std::sregex_iterator(code.begin(), code.end(), string); found != std::sregex_iterator(); ++found)
    if (const fs::path file = folder / (*found)[1].str(); fs::is_regular_file(file, error))
      files.push_back(file.string());
  return files;
}

/// Codes of a geometry and of those that it names, by file.
void add_codes(const std::string &file, std::vector<std::pair<std::string, std::string>> &codes, std::set<std::string> &seen)
{
  if (!seen.insert(file).second)
    return;
  const TextFile text = TextFile::read(file);
  if (!text.fault.empty())
    throw InputError(text.place(file) + " " + text.fault);
  codes.emplace_back(file, without_comments(text.text));
  for (const std::string &named : files_named_in(std::string(codes.back().second), fs::path(file).parent_path()))
    if (fs::path(named).extension() == ".geo")
      add_codes(named, codes, seen);
}

std::vector<std::pair<std::string, std::string>> codes_of(const std::string &file)
{
  std::vector<std::pair<std::string, std::string>> codes;
  std::set<std::string> seen;
  add_codes(file, codes, seen);
  return codes;
}

/// What a program prints, and its exit code; -1 if it cannot be started.
std::pair<int, std::string> output_of(std::vector<std::string> words, const std::string &terminal)
{
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, terminal.c_str(), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words.front().c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  const bool ended = error == 0 && waitpid(process, &status, 0) == process;
  const std::string text = ended ? TextFile::read(terminal).text : "";
  fs::remove(terminal);
  return {!ended ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1, text};
}

/// As the XDG Base Directory Specification has it.
fs::path folder_of_caches()
{
  for (const auto &[name, below] : {std::pair{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}})
    if (const char *folder = std::getenv(name); folder && fs::path(folder).is_absolute())
      return fs::path(folder) / below;
  return fs::temp_directory_path() / fmt::format("symdyn-cache-{}", getuid());
}

/// Of this user alone: others could put their meshes there.
std::string folder_of_meshes()
{
  const fs::path folder = folder_of_caches() / "symdyn" / "meshes";
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  struct stat found
  {
  };
  if (lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != getuid() || access(folder.c_str(), W_OK) != 0)
    throw InputError(
        folder.string() +
        ": is no folder of yours that can be written, and meshes are kept there. Mend it, or set XDG_CACHE_HOME to another place");
  return folder.string();
}

void remove_unused(const std::string &folder)
{
  constexpr auto kept = std::chrono::hours(24 * 30);
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (fs::last_write_time(entry, error) < fs::file_time_type::clock::now() - kept && !error)
      fs::remove_all(entry, error);
}

/// For files of one call of Gmsh, of one process on one machine.
struct WorkFolder
{
  explicit WorkFolder(const std::string &in) : path(in + "/work-XXXXXX")
  {
    if (!mkdtemp(path.data()))
      throw InputError(in + ": no folder can be made there. Look at its disk and its rights");
  }
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;
  ~WorkFolder()
  {
    std::error_code error;
    fs::remove_all(path, error);
  }
  std::string path;
};

/// Whether a mesh of Gmsh 4.1 has cells of two or three dimensions; in its table of elements those of one dimension are a block.
bool has_cells(const std::string &file)
{
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line) && line != "$Elements")
  {
  }
  std::size_t blocks = 0, number = 0, lowest = 0, highest = 0;
  for (in >> blocks >> number >> lowest >> highest; in && blocks > 0; --blocks)
  {
    std::size_t dimension = 0, tag = 0, type = 0, count = 0;
    in >> dimension >> tag >> type >> count;
    if (dimension >= 2 && count > 0)
      return true;
    for (std::getline(in, line); count > 0 && in; --count)
      std::getline(in, line);
  }
  return false;
}

/// "part.geo:3: syntax error ()" of Gmsh's first error, or of its last line.
std::string fault_in(const std::string &printed)
{
  static const std::regex error(R"re(Error +: (?:'([^']*)', line (\d+): )?([^\n]*))re"), last(R"re(([^\n]*)\n*$)re");
  std::smatch found;
  if (std::regex_search(printed, found, error))
    return (found[1].matched ? found[1].str() + ":" + found[2].str() + ": " : "") + found[3].str();
  std::regex_search(printed, found, last);
  return found[1];
}
}  // namespace

std::string Geometry::code() const
{
  std::string all;
  for (const auto &of_file : codes_of(file))
    all += of_file.second + "\n";
  return all;
}

std::vector<std::string> Geometry::definitions() const
{
  static const std::regex block(R"re(DefineConstant\s*\[([^\]]*)\])re"), inner(R"re(\{[^}]*\}|"[^"\n]*")re"),
      name(R"re((?:^|,)\s*([A-Za-z_]\w*))re");
  std::vector<std::string> names;
  const std::string text = code();
  for (auto found = std::sregex_iterator(text.begin(), text.end(), block); found != std::sregex_iterator(); ++found)
  {
    const std::string plain = std::regex_replace((*found)[1].str(), inner, "");
    for (auto one = std::sregex_iterator(plain.begin(), plain.end(), name); one != std::sregex_iterator(); ++one)
      names.push_back((*one)[1]);
  }
  return names;
}

std::string Geometry::signature(const int dimension, const std::string &version) const
{
  std::string all = fmt::format("{}\n{}\n", version, dimension);
  for (const auto &[name, value] : constants)
    all += name + " " + value + "\n";
  for (const auto &[of_file, code] : codes_of(file))
  {
    all += sha256_of(of_file) + "\n";
    for (const std::string &named : files_named_in(code, fs::path(of_file).parent_path()))
      all += sha256_of(named) + "\n";
  }
  return sha256(all);
}

std::string Geometry::mesh(const int dimension) const
{
  const std::string folder = folder_of_meshes();
  const WorkFolder work(folder);
  const std::string mine = work.path + "/part";
  const auto [found, version] = output_of({"gmsh", "--version"}, mine + ".log");
  if (found != 0)
    throw InputError(
        fmt::format("the program gmsh, which makes the mesh of a .geo file, is not found. Install it (apt-get install gmsh), or make the "
                    "mesh elsewhere ({}), and set File = part.msh",
                    by_hand(dimension)));
  const std::string made = fmt::format("{}/{}.msh", folder, signature(dimension, version));
  if (std::error_code error; fs::is_regular_file(made))
    fs::last_write_time(made, fs::file_time_type::clock::now(), error);  // used
  else
  {
    remove_unused(folder);
    make(dimension, mine, made);
  }
  return made;
}

std::string Geometry::by_hand(const int dimension) const
{
  std::string given;
  for (const auto &[name, value] : constants)
    given += fmt::format(" -setnumber {} {}", name, value);
  return fmt::format("gmsh {} -{}{} -o part.msh", file, dimension, given);
}

/// Beside the geometry Gmsh writes the values that its constants have at last.
void Geometry::make(const int dimension, const std::string &mine, const std::string &made) const
{
  const std::string values = mine + ".values", whole = mine + ".geo", mesh = mine + ".msh";
  std::vector<std::string> words{"gmsh", whole, fmt::format("-{}", dimension), "-format", "msh41", "-o", mesh, "-nopopup", "-v", "2"};
  std::string text = "Include \"" + fs::absolute(file).string() + "\";\n";
  for (const auto &[name, value] : constants)
  {
    text += fmt::format("Printf(\"{0} %.17g\", {0}) >> \"{1}\";\n", name, values);
    words.insert(words.end(), {"-setnumber", name, value});
  }
  std::ofstream(whole) << text;
  const auto [code, printed] = output_of(words, mine + ".log");
  const std::string used = fs::is_regular_file(values) ? TextFile::read(values).text : "";
  if (code != 0 || printed.find("Error ") != std::string::npos || !fs::is_regular_file(mesh))
    throw InputError(
        fmt::format("gmsh makes no mesh of it: {}. Mend the geometry; this shows more: {}", fault_in(printed), by_hand(dimension)));
  if (!has_cells(mesh))
    throw InputError(
        "gmsh makes a mesh without cells of it: it has no volume and no surface, or its physical groups leave them out. Give "
        "it one; this shows more: " +
        by_hand(dimension));
  check_values(used);
  fs::rename(mesh, made);
}

void Geometry::check_values(const std::string &used) const
{
  for (const auto &[name, value] : constants)
  {
    std::smatch last;
    const std::regex line("(?:^|\n)" + name + " ([^\n]*)");
    if (!std::regex_search(used, last, line) || number_from<double>(last[1]) != number_from<double>(value))
      throw InputError(
          fmt::format("the geometry sets {0} = {1} itself, in spite of the parameter {0} {2}. Write DefineConstant[ {0} = {1} ] "
                      "there instead of an assignment",
                      name, last.empty() ? "" : last[1].str(), value));
  }
}
}  // namespace symdyn
