// Words and phrases that may not come back: what replaced them is the word of the field, or plain English.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace symdyn::tests::in_words
{
namespace
{
namespace fs = std::filesystem;

const std::map<std::string, std::string> replaced{
    {"Energy"
     "Books",
     "EnergyBalance"},
    {"Print"
     "Moment",
     "OutputTime"},
    {"what_the_"
     "law_sees",
     "assumed_deformation_gradient"},
    {"see_"
     "step(",
     "Actions::seen"},
    {"foresee_"
     "time_step",
     "warn_if_unstable_later"},
    {"settle_"
     "time_step",
     "fix_time_step"},
    {"settled_"
     "deck",
     "restart_signature"},
    {"throw_"
     "together",
     "throw_collectively"},
    {"parts_of_"
     "steps",
     "substeps"},
    {"machine_"
     "memory",
     "memory_usage"},
    {"books of "
     "energy",
     "energy balance"},
    {"Newton's "
     "labour",
     "slow Newton convergence"},
    {"our "
     "fault",
     "internal error; this is a bug in symdyn"},
    {"nobody "
     "counts",
     "there is no Sturm check"},
    {"what must be "
     "lost",
     "expected violations"},
    {"what "
     "oscillates:",
     "harmonic loads"},
    {"different enough to "
     "bite",
     "differences that matter"},
    {"Where to "
     "read on",
     "Documentation"},
    {"does everything "
     "work?",
     "smoke test"},
    {"belongs to the stiff "
     "part",
     "treat as stiff"},
    {"is no checkpoint of "
     "symdyn",
     "is not a symdyn checkpoint"},
    {"frame each so "
     "many",
     "output interval"},
    {"stands where "
     "*",
     "unexpected trailing data"},
};

std::string text_of(const fs::path &file)
{
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}
}  // namespace

TEST(Words, PhrasesThatMayNotComeBack)
{
  const std::set<std::string> kinds{".cc", ".h", ".md", ".txt", ".py", ".cmake", ".sh", ".prm", ".inp", ""};
  std::size_t read = 0;
  std::string found;
  for (const std::string top : {"solver", "elements", "materials", "integrators", "meshes", "tests", "docs", "benchmarks", "decks", "cmake",
                                "python", "README.md", "CONTRIBUTING.md", "quickstart"})
  {
    const auto look = [&](const fs::path &file) {
      if (!kinds.count(file.extension()))
        return;
      ++read;
      const std::string text = text_of(file);
      for (const auto &[phrase, better] : replaced)
        if (const std::size_t at = text.find(phrase); at != std::string::npos)
          found += fs::relative(file, SYMDYN_SOURCE).string() + ": \"" + phrase + "\": write " + better + "\n";
    };
    const fs::path path = fs::path(SYMDYN_SOURCE) / top;
    if (fs::is_regular_file(path))
      look(path);
    else
      for (const auto &entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file())
          look(entry.path());
  }
  EXPECT_GT(read, 500u) << "the walk misses files";
  EXPECT_EQ(found, "");
}
}  // namespace symdyn::tests::in_words
