// Words that bash completes, by the function of `symdyn completion bash` in a bash of its own.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_completion
{
namespace
{
const std::string binary = SYMDYN_BINARY;

class Completion : public ::testing::Test
{
protected:
  void SetUp() override
  {
    const Outcome printed = command(folder, "exec " + binary + " completion bash");
    ASSERT_EQ(printed.exit_code, 0);
    write_file(folder, "script", printed.terminal);
  }
  /// What bash offers for the last of the words, as readline parts them, one a line.
  std::string offered(const std::vector<std::string> &words) const
  {
    std::string script = "source " + (folder / "script") + "\nCOMP_WORDS=(";
    for (const std::string &word : words)
      script += " '" + word + "'";
    script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
              "\n$(complete -p symdyn | sed 's/.*-F \\([^ ]*\\) .*/\\1/')\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return command(folder, "bash --norc " + write_file(folder, "ask.sh", script)).terminal;
  }
  Folder folder;
};
}  // namespace

TEST_F(Completion, Commands)
{
  EXPECT_EQ(offered({"symdyn", "ver"}), "verify\n");
  const std::string all = offered({"symdyn", ""});
  for (const char *one : {"run\n", "check\n", "new\n", "plot\n", "completion\n", "--help\n"})
    EXPECT_EQ(has(all, one), "");
  EXPECT_EQ(offered({"symdyn", "xyz"}), "\n");
}

TEST_F(Completion, Options)
{
  EXPECT_EQ(offered({"symdyn", "run", "--ov"}), "--overwrite\n");
  EXPECT_EQ(offered({"symdyn", "run", "--scheme"}), "\n") << "of verify";
  EXPECT_EQ(offered({"symdyn", "verify", "--sch"}), "--scheme\n");
  EXPECT_EQ(offered({"symdyn", "point", "--str"}), "--strain\n--stress\n");
  EXPECT_EQ(offered({binary, "plot", "--col"}), "--columns\n") << "of symdyn-render";
  EXPECT_EQ(offered({"symdyn", "verify", "--scheme", "newm"}), "newmark\nnewmark-constrained\nnewmark-dalembert\nnewmark-partial\n");
}

TEST_F(Completion, EntriesOfSet)
{
  EXPECT_EQ(offered({"symdyn", "run", "a.prm", "--set", "Integrat"}), "Integrator/\n");
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Integrator/newmark/b"}), "Integrator/newmark/beta=\n");
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Time/Time\\ s"}), "Time/Time step=\n") << "as typed with a backslash";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "\"Time/Time s"}), "Time/Time step=\n") << "as typed in quotes";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Materials/steel/Dens"}), "Materials/steel/Density=\n") << "in a section of the user";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Materials/steel/Type=neo-hooke-l"}), "Materials/steel/Type=neo-hooke-log\n");
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Materials/steel/Type", "=", "formu"}), "formula\n") << "as readline parts it";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Materials/steel/none/Type=formu"}), "\n") << "no such entry";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Integrator/Scheme", "=", "yosh"}), "yoshida4\n") << "readline parts words at =";
  EXPECT_EQ(offered({"symdyn", "run", "--set", "\"Integrator/Scheme=yosh"}), "Integrator/Scheme=yoshida4\n");
  EXPECT_EQ(has(offered({"symdyn", "run", "--set", "Units/System", "="}), "mm-t-s\n"), "");
  EXPECT_EQ(offered({"symdyn", "run", "--set", "Nothing/"}), "\n");
}

TEST_F(Completion, Files)
{
  write_file(folder, "swing deck.prm", "");
  EXPECT_EQ(offered({"symdyn", "run", folder / "swing"}), folder / "swing deck.prm\n");
}

TEST(CompletionCommand, BadInput)
{
  const Folder folder;
  EXPECT_EQ(command(folder, binary + " completion").exit_code, 1);
  EXPECT_EQ(command(folder, binary + " completion fish").exit_code, 1);
}
}  // namespace symdyn::tests::in_completion
