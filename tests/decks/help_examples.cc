#include <gtest/gtest.h>

#include <filesystem>

#include "tests/run.h"

// The examples at the end of `symdyn COMMAND --help`.
namespace symdyn::tests::in_help_examples
{
namespace
{
const std::string program = SYMDYN_BINARY;

/// Of a help: the lines behind "Examples:", without blanks before them.
std::vector<std::string> examples_in(const std::string &help)
{
  const std::string title = "Examples:\n";
  const std::size_t at = help.find(title);
  std::vector<std::string> found;
  std::istringstream lines(at == std::string::npos ? "" : help.substr(at + title.size()));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  ", 0) == 0)
      found.push_back(line.substr(2));
  return found;
}

/// By command.
std::map<std::string, std::vector<std::string>> all_examples(const Folder &folder)
{
  const std::string help = command(folder, program + " --help").terminal;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::map<std::string, std::vector<std::string>> all;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  ", 0) == 0 && line.size() > 2 && line[2] != ' ')
    {
      const std::string name = line.substr(2, line.find(' ', 2) - 2);
      all[name] = examples_in(command(folder, program + " " + name + " --help").terminal);
    }
  return all;
}

TEST(HelpExamples, EachCommandHasSomeWithFilesThatAreThere)
{
  const Folder folder;
  const auto all = all_examples(folder);
  EXPECT_GT(all.size(), 20u);
  for (const auto &[name, lines] : all)
  {
    EXPECT_GE(lines.size(), 1u) << name;
    EXPECT_LE(lines.size(), 2u) << name;
    bool is_of_command = false;
    for (const std::string &line : lines)
    {
      is_of_command = is_of_command || line.find("symdyn " + name) != std::string::npos;
      std::istringstream words(line);
      for (std::string word; words >> word;)
      {
        const bool is_read = word.rfind("decks/", 0) == 0 && word.find(".json") == std::string::npos;  // convert writes one
        EXPECT_TRUE(!is_read || std::filesystem::exists(SYMDYN_SOURCE "/" + word)) << line;
      }
    }
    EXPECT_TRUE(is_of_command) << name;
  }
}

/// In a folder with the decks, runs before what reads them. `compare` tells that a stiffer arm moves in another way.
TEST(HelpExamples, RunAsTheyStandNightly)
{
  const Folder folder;
  auto all = all_examples(folder);
  all.erase("mesh");  // which needs meshio and a mesh that is not of the project
  if (std::system("command -v Xvfb > /dev/null && command -v ffmpeg > /dev/null") != 0)
    all.erase("render");
  std::filesystem::copy(SYMDYN_SOURCE "/decks", folder / "decks", std::filesystem::copy_options::recursive);
  std::vector<std::pair<std::string, std::string>> ordered{{"run", "symdyn run decks/examples/modal-test.prm"}};
  for (const std::string &line : all["run"])
    ordered.emplace_back("run", line);
  all.erase("run");
  for (const auto &[name, lines] : all)
    for (const std::string &line : lines)
      ordered.emplace_back(name, line);
  EXPECT_GT(ordered.size(), 30u);
  write_file(folder, "bin/symdyn", "");
  std::filesystem::remove(folder / "bin/symdyn");
  std::filesystem::create_symlink(program, folder / "bin/symdyn");
  for (const auto &[name, line] : ordered)
  {
    write_file(folder, "example.sh", "cd " + folder.path + "\nPATH=" + folder.path + "/bin:$PATH\n" + line + "\n");
    const Outcome outcome = command(folder, "bash " + folder.path + "/example.sh");
    EXPECT_EQ(outcome.exit_code, name == "compare" ? 1 : 0) << line << "\n" << outcome.terminal;
  }
}
}  // namespace
}  // namespace symdyn::tests::in_help_examples
