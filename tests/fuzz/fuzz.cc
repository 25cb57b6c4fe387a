#include "tests/fuzz/fuzz.h"

#include <deal.II/base/mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "solver/base/log.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/run/run.h"

extern "C"
{
  // libFuzzer's
  std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);
  // Open MPI and Trilinos leak in an empty program; the limit of memory finds what grows.
  const char *__asan_default_options() { return "detect_leaks=0"; }
  const char *__ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
}

namespace symdyn::fuzz
{
namespace
{
/// A folder of this process with the files that decks may name; it goes when the process ends.
class Folder
{
public:
  Folder()
  {
    std::string pattern = std::filesystem::temp_directory_path() / "symdyn-fuzz-XXXXXX";
    path = mkdtemp(pattern.data());
    for (const auto &entry : std::filesystem::directory_iterator(SYMDYN_SOURCE "/tests/meshes"))
      if (entry.file_size() < 4096)
        std::filesystem::copy_file(entry.path(), path + "/" + entry.path().filename().string());
    file("table.csv", "t, value\n0, 0\n0.5, 1\n1, 0.5\n");
    file("rows.txt", "0 0 0 0 0 0\n1 0 0 0 0 0\n2 0 0 0 0 0\n");
    file("part.prm", "subsection Time\n  set Time step = 0.01\n  set End time = 0.1\nend\n");
    file("self.prm", "include self.prm\n");
    file("part.inc",
         "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n");
    file("self.inc", "*INCLUDE, INPUT=self.inc\n");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string &name, const std::string &text) const
  {
    std::ofstream(path + "/" + name) << text;
    return path + "/" + name;
  }
  std::string path;
};

/// Without names of files outside of the folder: no word begins with '/', and ".." is none. Blanks, ends of lines and '\' may stand
/// between.
std::string kept_inside(std::string text)
{
  char before = '\n', last = '\n';  // the character before; the last one that is not blank
  for (char &c : text)
  {
    const bool word_begins = std::isspace(static_cast<unsigned char>(before)) || std::strchr("=,\"'\\", before);
    if ((c == '/' && word_begins) || (c == '.' && last == '.'))
      c = '_';
    before = c;
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '\\')
      last = c;
  }
  return text;
}

/// Meshes of some hundred cells are built, others refused for their size.
void limit_size(Deck &deck)
{
  std::string structure = "solid";
  deck.root().add("Structure", structure, "");
  if (structure == "solid")
    deck.set("Mesh/Memory limit=0.166");
}

/// Meshes, matrices and critical steps take a hundred times as long as reading: one deck in so many is built.
constexpr std::size_t built = 8;

void examine(const std::string &text)
{
  static const Folder folder;
  try
  {
    Deck deck = Deck::read(folder.file("deck" + language().ending, text));
    limit_size(deck);
    Run run(deck);
    if (std::hash<std::string>()(text) % built != 0)
      return;
    run.build();
    run.description();
  }
  catch (const InputError &)
  {
  }
  catch (const ComputationError &)
  {
  }
}

/// A word ends where words of either language do.
std::pair<std::size_t, std::size_t> any_word(const std::string &text, Random &random)
{
  const char *const separators = ",= \t\n*()";
  const std::size_t start = text.find_first_not_of(separators, text.empty() ? 0 : random() % text.size());
  if (start == std::string::npos)
    return {text.size(), 0};
  return {start, std::min(text.find_first_of(separators, start), text.size()) - start};
}

std::pair<std::size_t, std::size_t> any_line(const std::string &text, Random &random)
{
  const std::size_t at = text.empty() ? 0 : random() % text.size(), before = at == 0 ? std::string::npos : text.rfind('\n', at - 1),
                    after = text.find('\n', at);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  return {start, (after == std::string::npos ? text.size() : after + 1) - start};
}

void mutate(std::string &text, Random &random)
{
  const auto [line, length] = any_line(text, random);
  const auto [word, letters] = any_word(text, random);
  switch (random() % 6)
  {
    case 0:
      text.replace(word, letters, any_of(language().words, random));
      break;
    case 1:
      text.replace(word, letters, any_of(awkward_values(), random));
      break;
    case 2:
      text.erase(line, length);
      break;
    case 3:
    {
      const std::string copy = text.substr(line, length);
      text.insert(any_line(text, random).first, copy);
      break;
    }
    case 4:
      text.insert(line, language().lines(random));
      break;
    default:
      text += (text.empty() || text.back() == '\n' ? "" : "\n") + language().lines(random);
  }
}
}  // namespace

const std::vector<std::string> &awkward_values()
{
  static const std::vector<std::string> all{"0",
                                            "1",
                                            "-1",
                                            "2",
                                            "3",
                                            "8",
                                            "1000000",
                                            "2147483647",
                                            "2147483648",
                                            "9223372036854775807",
                                            "99999999999999999999",
                                            "1e-300",
                                            "1e300",
                                            "1e999",
                                            "-1e300",
                                            "nan",
                                            "inf",
                                            "0.5",
                                            "1.e-3",
                                            "1d3",
                                            "",
                                            "yes",
                                            "free",
                                            "all",
                                            "none",
                                            "auto",
                                            "1, 0, 0",
                                            "0, 0",
                                            "1, 2",
                                            "sin(t)",
                                            "x*y - 1/(t - t)",
                                            "t > 0 ? 1 : -x^2^3",
                                            "min(1, 2, t)",
                                            "((((1))))",
                                            "a",
                                            "b",
                                            "a, b",
                                            "table.csv",
                                            "rows.txt",
                                            "cube_hexahedra.inp",
                                            "square_triangles_41.msh",
                                            "cube_tetrahedra.vtk",
                                            "square_quadrilaterals.ucd",
                                            "self.prm",
                                            "self.inc",
                                            "deck.inp",
                                            "deck.prm",
                                            "part.inc",
                                            "part.prm",
                                            ".",
                                            "\xC3\xA9",
                                            "\xE9"};
  return all;
}
}  // namespace symdyn::fuzz

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  using namespace symdyn;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
  // PETSc would catch the signals that the fuzzer waits for.
  static char program[] = "fuzz", no_handler[] = "-no_signal_handler";
  static char *own[] = {program, no_handler, nullptr}, **values = own;
  int count = 2;
  new dealii::Utilities::MPI::MPI_InitFinalize(count, values, 1);  // to the end of the process, however it ends
  if (*argc > 1 && std::string((*argv)[1]) == "--dictionary")
  {
    for (const std::string &word : fuzz::language().words)
      if (word.find_first_of("\"\\") == std::string::npos)
        std::printf("\"%s\"\n", word.c_str());
    std::fflush(stdout);
    std::_Exit(0);
  }
  if (!std::freopen("/dev/null", "w", stdout))
    std::abort();  // warnings of decks; libFuzzer writes on stderr
  Log::instance().quiet(true);
  Log::instance().open("/dev/null");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, const std::size_t size)
{
  using namespace symdyn::fuzz;
  examine(kept_inside(std::string(reinterpret_cast<const char *>(data), size)));
  return 0;
}

/// Half of the mutations are libFuzzer's, of bytes; the others of lines and words.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, const std::size_t size, const std::size_t most, const unsigned int seed)
{
  using namespace symdyn::fuzz;
  Random random(seed);
  if (random() % 2 == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (int left = 1 + random() % 3; left > 0; --left)
    mutate(text, random);
  text.resize(std::min(text.size(), most));
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
