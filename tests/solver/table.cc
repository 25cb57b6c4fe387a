#include "solver/deck/formula/table.h"

#include "tests/input.h"

namespace symdyn::tests::in_table
{
using testing::IsSubstring;

TEST(Table, IsStraightBetweenPointsAndConstantBeyond)
{
  const DeckFolder folder;
  for (const char *text : {"# amplitude\nt, value\n0, 1\n\n2, 3 # end\n4,-1", "0 1\n2\t3\n4 -1\n", "t;a\r\n0;1\r\n2;3\r\n4;-1"})
  {
    const Table table = Table::read(folder.file("load.csv", text));
    EXPECT_EQ(table(-1.), 1.);
    EXPECT_EQ(table(0.), 1.);
    EXPECT_EQ(table(0.5), 1.5);
    EXPECT_EQ(table(2.), 3.);
    EXPECT_EQ(table(3.), 1.);
    EXPECT_EQ(table(4.), -1.);
    EXPECT_EQ(table(5.), -1.);
  }
}

TEST(Table, ErrorsNameTheLine)
{
  const DeckFolder folder;
  const auto error = [&](const std::string &text) {
    const std::string file = folder.file("load.csv", text);
    return message([&] { Table::read(file); }).substr(folder.path.string().size() + 1);
  };
  EXPECT_EQ(error("0 1\n\n0 2"), "load.csv:3: t = 0 must be > 0, which line 1 has. For a jump write two close times.");
  EXPECT_EQ(error("0 1\n1 2 3"), "load.csv:2: has 3 columns; a line is 't value'.");
  EXPECT_EQ(error("0,1\n1,,2"), "load.csv:2: has 3 columns; a line is 't value'.");
  EXPECT_EQ(error("0 1\n1"), "load.csv:2: has 1 columns; a line is 't value'.");
  EXPECT_EQ(error("0 1\n1 nan"), "load.csv:2: 'nan' is not a finite number. A line is 't value'.");
  EXPECT_EQ(error("0 nan"), "load.csv:1: 'nan' is not a finite number. A line is 't value'.");
  EXPECT_EQ(error("t a\nt a\n0 1"), "load.csv:2: 't' is not a finite number. A line is 't value'.");
  EXPECT_EQ(error("# nothing\n"), "load.csv: has no line 't value'.");
  EXPECT_PRED_FORMAT2(IsSubstring, "nowhere.csv: cannot be read: No such file", message([] { Table::read("nowhere.csv"); }));
}
}  // namespace symdyn::tests::in_table
