#include "solver/archive.h"

#include <deal.II/base/mpi.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "solver/error.h"
#include "tests/input.h"
#include "tests/oscillator.h"
#include "tests/run.h"

// Names, values and files.
namespace symdyn::tests::in_archive
{
using testing::IsSubstring;

namespace
{
const std::string file = (std::filesystem::temp_directory_path() / ("symdyn_archive_" + std::to_string(getpid()))).string();

struct Removed
{
  ~Removed() { std::filesystem::remove(file); }
};

/// Written and read.
Archive again(const Archive &archive, const MechanicalSystem &system)
{
  archive.write(file, system);
  Archive read = Archive::read(file);
  read.read_vectors(system);
  return read;
}
}  // namespace

TEST(Archive, ValuesComeBackAsTheyWere)
{
  const Removed at_the_end;
  constexpr double inf = std::numeric_limits<double>::infinity();
  Archive archive;
  archive.put("bool", true);
  archive.put("int", -3);
  archive.put("long", 1L << 60);
  archive.put("size", std::size_t(-1));
  archive.put("double", 0.1);
  archive.put("text", std::string("line\nline \"quoted\" ä"));
  archive.put("bools", std::vector<bool>{true, false});
  archive.put("doubles", std::vector<double>{0.1, -inf, inf, 5e-324, std::nan("")});
  archive.put("texts", std::vector<std::string>{"", "a,b"});
  archive.put("none", std::vector<double>());
  const Archive read = again(archive, Oscillator());
  EXPECT_TRUE(read.get<bool>("bool"));
  EXPECT_EQ(read.get<int>("int"), -3);
  EXPECT_EQ(read.get<long>("long"), 1L << 60);
  EXPECT_EQ(read.get<std::size_t>("size"), std::size_t(-1));
  EXPECT_EQ(read.get<double>("double"), 0.1);
  EXPECT_EQ(read.get<std::string>("text"), "line\nline \"quoted\" ä");
  EXPECT_EQ(read.get<std::vector<bool>>("bools"), (std::vector<bool>{true, false}));
  const auto doubles = read.get<std::vector<double>>("doubles");
  EXPECT_EQ(std::vector<double>(doubles.begin(), doubles.end() - 1), (std::vector<double>{0.1, -inf, inf, 5e-324}));
  EXPECT_TRUE(std::isnan(doubles.back()));
  EXPECT_EQ(read.get<std::vector<std::string>>("texts"), (std::vector<std::string>{"", "a,b"}));
  EXPECT_TRUE(read.get<std::vector<double>>("none").empty());
}

TEST(Archive, SectionsKeepNamesApart)
{
  Archive archive;
  archive.put("steps", 1L);
  Archive watch = archive.section("watch");
  watch.put("steps", 2L);
  const Archive copy = archive;
  EXPECT_EQ(copy.get<long>("steps"), 1);
  EXPECT_EQ(copy.section("watch").get<long>("steps"), 2) << "a copy is another handle";
  EXPECT_EQ(copy.get<long>("watch/steps"), 2);
  EXPECT_TRUE(copy.section("watch").has("steps"));
  EXPECT_FALSE(copy.section("monitors").has("steps"));
}

TEST(Archive, StatesWithTheirMemory)
{
  const Removed at_the_end;
  const Oscillator system;
  State state = system.start(1. / 3., -2.);
  state.t = 0.7;
  state.n = 12;
  state.memory["momentum"] = state.q;
  state.memory["short"].reinit(3);
  state.memory["short"].local_element(1) = std::numeric_limits<double>::infinity();
  Archive archive;
  archive.put("state", state);
  const auto read = again(archive, system).get<State>("state");
  EXPECT_EQ(read.t, 0.7);
  EXPECT_EQ(read.n, 12u);
  EXPECT_EQ(read.q.local_element(0), 1. / 3.);
  EXPECT_EQ(read.v.local_element(0), -2.);
  EXPECT_EQ(read.memory.at("momentum").local_element(0), 1. / 3.);
  EXPECT_EQ(read.memory.at("short").size(), 3u);
  EXPECT_EQ(read.memory.at("short").local_element(1), std::numeric_limits<double>::infinity());
}

TEST(Archive, BlocksInTheOrderAskedFor)
{
  const Removed at_the_end;
  const std::uint64_t large = std::uint64_t(1) << 63;
  Archive archive;
  archive.section("history").put_blocks("steel", {7, large, 3}, 2, {70., 71., 80., 81., 30., 31.});
  archive.put_blocks("empty", {}, 4, {});
  const Archive read = again(archive, Oscillator());
  for (const Archive &one : {std::as_const(archive), read})
  {
    EXPECT_EQ(one.section("history").get_blocks("steel", {3, large}), (std::vector<double>{30., 31., 80., 81.}));
    EXPECT_TRUE(one.has("history/steel") && one.has("empty"));
    EXPECT_TRUE(one.get_blocks("empty", {}).empty());
    EXPECT_THROW(one.get_blocks("history/steel", {4}), InputError);
    EXPECT_THROW(one.get_blocks("history/rubber", {3}), InputError);
  }
  EXPECT_THROW(archive.put_blocks("wrong", {1}, 2, {1.}), std::logic_error);
}

TEST(Archive, ErrorsNameTheFileAndTheWayOut)
{
  const Removed at_the_end;
  const Oscillator system;
  Archive archive;
  archive.put("steps", 1L);
  archive.put_blocks("steel", {7, 8}, 1, {1., 2.});
  const Archive read = again(archive, system);
  EXPECT_EQ(message([&] { read.get<long>("stepz"); }),
            file + ": has no value \"stepz\": it was written by another version of the program or of a plugin. Run again from the deck");
  EXPECT_PRED_FORMAT2(IsSubstring, "\"steps\" is of another type", message([&] { read.get<std::string>("steps"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "has no vector \"state/q\"", message([&] { read.get<Vector>("state/q"); }));
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(-3, std::ios::end) << 'x';
  EXPECT_PRED_FORMAT2(IsSubstring, "the blocks of \"steel\"", message([&] { Archive::read(file).read_vectors(system); }));
  std::ofstream(file) << "symdyn checkpoint 4\n100 00000000\n{}";
  EXPECT_PRED_FORMAT2(IsSubstring, file + ": checkpoint of format 4, this version (symdyn ", message([&] { Archive::read(file); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "reads format 6: run again from the deck", message([&] { Archive::read(file); }));
}

namespace
{
const char *const variable = "SYMDYN_ARCHIVE_OF_RANKS";
constexpr std::uint64_t cells = 100, far = 1000000007;

unsigned int rank() { return dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD); }
unsigned int ranks() { return dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD); }
double value_of(const std::uint64_t cell, const int i) { return 3. * double(cell) + i; }

/// This test program on several ranks, with one of the tests below.
Outcome on_ranks(const Folder &folder, const int number, const std::string &test)
{
  return command(folder, std::string("export ") + variable + "=" + (folder / "blocks") +
                             "; mpirun --oversubscribe --allow-run-as-root -n " + std::to_string(number) + " " +
                             std::filesystem::read_symlink("/proc/self/exe").string() +
                             " --gtest_also_run_disabled_tests --gtest_filter=Archive.DISABLED_" + test);
}
}  // namespace

TEST(Archive, DISABLED_WrittenByRanks)
{
  std::vector<std::uint64_t> identities;
  std::vector<double> values;
  for (std::uint64_t cell = 0; cell < cells; ++cell)
    if (cell * cell % ranks() == rank())  // with two or more, not as many on each
    {
      identities.push_back(far * cell);
      for (int i = 0; i < 3; ++i)
        values.push_back(value_of(cell, i));
    }
  Archive archive;
  archive.put_blocks("steel", identities, 3, values);
  archive.put_blocks("number", {rank()}, 1, {double(rank())});
  archive.write(std::getenv(variable), Oscillator());
}

TEST(Archive, DISABLED_ReadByRanks)
{
  Archive archive = Archive::read(std::getenv(variable));
  archive.read_vectors(Oscillator());
  std::vector<std::uint64_t> identities;
  std::vector<double> expected;
  for (std::uint64_t cell = cells; cell-- > 0;)
    if (cell / 7 % ranks() == rank())
    {
      identities.push_back(far * cell);
      for (int i = 0; i < 3; ++i)
        expected.push_back(value_of(cell, i));
    }
  EXPECT_EQ(archive.get_blocks("steel", identities), expected);
  EXPECT_EQ(archive.get_blocks("number", {2, 0, 1}), (std::vector<double>{2., 0., 1.}));
  EXPECT_THROW(archive.get_blocks("steel", {rank() == 0 ? 1u : 0u}), InputError) << "on every rank";
}

TEST(Archive, BlocksOnAnyNumberOfRanks)
{
  const Folder folder;
  const Outcome written = on_ranks(folder, 3, "WrittenByRanks");
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  for (const int number : {2, 4})
  {
    const Outcome read = on_ranks(folder, number, "ReadByRanks");
    EXPECT_EQ(read.exit_code, 0) << number << ": " << read.terminal;
  }
}
}  // namespace symdyn::tests::in_archive
