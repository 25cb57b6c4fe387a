#include "solver/deck/deck.h"

#include <deal.II/base/parameter_handler.h>
#include <gtest/gtest.h>

#include "tests/input.h"

namespace symdyn::tests::in_deck
{
using testing::IsSubstring;

namespace
{
std::string syntax_error(const std::string &text)
{
  return message([&] { Deck::from_text(text, "beam.prm"); });
}

std::string json_error(const std::string &text)
{
  const DeckFolder folder;
  return message([&] { Deck::read(folder.file("beam.json", text)); });
}

const char *const syntax = R"(
# a beam
set Title = a beam = 1  # the first '=' counts
subsection Time stepping   # comment
	set  Time step   =   1e-3
  set Long list = 1, 2, \
      3, \
      4
  set Empty =
  subsection newmark
    set beta = 0.25
  end
end
subsection Time stepping
  set End time=2
end
set Last = \)";
}  // namespace

TEST(Deck, ReadsWhatDealReads)
{
  Deck deck = Deck::from_text(syntax, "beam.prm");
  dealii::ParameterHandler handler;
  const std::vector<std::pair<std::string, std::string>> entries = {{"", "Title"},
                                                                    {"", "Last"},
                                                                    {"Time stepping", "Time step"},
                                                                    {"Time stepping", "Long list"},
                                                                    {"Time stepping", "Empty"},
                                                                    {"Time stepping", "End time"},
                                                                    {"Time stepping/newmark", "beta"}};
  const auto enter = [&](const std::string &path) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0, end; begin < path.size(); begin = end + 1)
    {
      end = std::min(path.find('/', begin), path.size());
      parts.push_back(path.substr(begin, end - begin));
      handler.enter_subsection(parts.back());
    }
    return parts.size();
  };
  for (const auto &[path, name] : entries)
  {
    const std::size_t depth = enter(path);
    handler.declare_entry(name, "(not read)", dealii::Patterns::Anything());
    for (std::size_t i = 0; i < depth; ++i)
      handler.leave_subsection();
  }
  handler.parse_input_from_string(syntax);
  for (const auto &[path, name] : entries)
  {
    const std::size_t depth = enter(path);
    std::string ours = "(not read)";
    Parameters(deck, path).add(name, ours, "help");
    EXPECT_EQ(ours, handler.get(name)) << path << "/" << name;
    EXPECT_NE(ours, "(not read)");
    for (std::size_t i = 0; i < depth; ++i)
      handler.leave_subsection();
  }
  EXPECT_NO_THROW(deck.finish());
}

TEST(Deck, ReadsContinuedLines)
{
  Deck deck = Deck::from_text(syntax, "beam.prm");
  std::vector<double> list;
  Parameters(deck, "Time stepping").add("Long list", list, "help");
  EXPECT_EQ(list, (std::vector<double>{1., 2., 3., 4.}));
}

TEST(Deck, WritesWhatItRead)
{
  Deck deck = Deck::from_text(syntax, "beam.prm");
  deck.set(" Time stepping / newmark / beta = 0.3 ");
  deck.set("New/Entry = x = y");
  const std::string text = deck.as_prm();
  Deck again = Deck::from_text(text, "again.prm");
  EXPECT_EQ(again.as_prm(), text);
  EXPECT_PRED_FORMAT2(IsSubstring, "    set beta = 0.3\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "subsection New\n  set Entry = x = y\nend\n", text);
  EXPECT_PRED_FORMAT2(IsSubstring, "  set Long list = 1, 2, 3, 4\n", text);
}

TEST(Deck, SyntaxErrorsNameTheLine)
{
  EXPECT_EQ(syntax_error("set a 1"), "beam.prm:1: 'set a 1' has no '='; write 'set NAME = VALUE'.");
  EXPECT_EQ(syntax_error("\nsubsection A\nset a = 1\n"), "beam.prm:2: subsection A has no 'end'.");
  EXPECT_EQ(syntax_error("\nend"), "beam.prm:2: 'end' without a subsection that it could close.");
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:2: 'A' after 'end'", syntax_error("subsection A\nend A"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1: 'ste a = 1' is not understood; a line starts with set,", syntax_error("ste a = 1"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1: subsection 'A/B'", syntax_error("subsection A/B\nend"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1: subsection ''", syntax_error("subsection\nend"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1: '' cannot name an entry", syntax_error("set = 1"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1: 'a/b' cannot name an entry", syntax_error("set a/b = 1"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:3: a comment that ends with", syntax_error("set b = 1 \\\n\n# swallows \\\nset a = 1"));
}

TEST(Deck, DuplicatesNameBothLines)
{
  EXPECT_EQ(syntax_error("subsection A\nset a = 1\nend\nsubsection A\nset a = 2\nend"),
            "beam.prm:5 [A] a = 2: is already set at beam.prm:2 (a = 1). Keep one of them.");
}

TEST(Deck, IncludesFilesBesideIt)
{
  const DeckFolder folder;
  folder.file("parts/inner.prm", "include deeper.prm\nset a = 1\n");
  folder.file("parts/deeper.prm", "set b = x\n");
  const std::string file = folder.file("outer.prm", "subsection A\n  include parts/inner.prm\nend\n");
  Deck deck = Deck::read(file);
  EXPECT_EQ(deck.as_prm(), "subsection A\n  set b = x\n  set a = 1\nend\n");
  EXPECT_EQ(deck.folder(), folder.path.string());
  EXPECT_EQ(deck.stem(), "outer");
  double b = 0.;
  EXPECT_PRED_FORMAT2(IsSubstring, "parts/deeper.prm:1 [A] b = x: must be a number.",
                      message([&] { Parameters(deck, "A").add("b", b, "help"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "lost.prm:2: ", message([&] { Deck::read(folder.file("lost.prm", "\ninclude nothing.prm")); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "nothing.prm cannot be read: No such file",
                      message([&] { Deck::read(folder.file("lost.prm", "\ninclude nothing.prm")); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "16 deep", message([&] { Deck::read(folder.file("self.prm", "include self.prm")); }));
  folder.file("half.prm", "subsection A\n");
  EXPECT_PRED_FORMAT2(IsSubstring, "half.prm:1: subsection A has no 'end'.",
                      message([&] { Deck::read(folder.file("open.prm", "include half.prm\nend")); }));
}

TEST(Deck, RefusesFilesItCannotRead)
{
  EXPECT_PRED_FORMAT2(IsSubstring, "nowhere.prm cannot be read: No such file", message([] { Deck::read("nowhere.prm"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "a deck is a .prm or a .json file", message([] { Deck::read("nowhere.txt"); }));
  const DeckFolder folder;
  std::filesystem::create_directory(folder.path / "folder.prm");
  EXPECT_PRED_FORMAT2(IsSubstring, "it is a folder", message([&] { Deck::read((folder.path / "folder.prm").string()); }));
  EXPECT_EQ(Deck::read(folder.file("empty.prm", "")).as_prm(), "");
}

TEST(Deck, ReadsJson)
{
  const DeckFolder folder;
  Deck deck = Deck::read(folder.file("beam.json", R"json({
  "Title": "a beam",
  "Time stepping": {
    "Time step": 1e-3, "Steps": 12, "Negative": -3, "On": true,
    "List": [1, 2.50, -3], "Words": ["a", "atan2(x, y)"], "None": [],
    "newmark": { "beta": 0.1 }
  },
  "Empty": {}
})json"));
  EXPECT_EQ(deck.as_prm(),
            "set Title = a beam\nsubsection Time stepping\n  set Time step = 1e-3\n  set Steps = 12\n"
            "  set Negative = -3\n  set On = true\n  set List = 1, 2.50, -3\n  set Words = a, atan2(x, y)\n  set None =\n"
            "  subsection newmark\n    set beta = 0.1\n  end\nend\nsubsection Empty\nend\n");
  EXPECT_EQ(Deck::from_text(deck.as_prm(), "again.prm").as_prm(), deck.as_prm());
  double beta = 0.;
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:6 [Time stepping/newmark] beta = 0.1: must be >= 1. Meaning: help.",
                      message([&] { Parameters(deck, "Time stepping/newmark").add("beta", beta, "help", {1}); }));
}

TEST(Deck, JsonErrorsNameTheLine)
{
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:3: JSON, column", json_error("{\n \"a\": 1,\n \"b\": }"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:3: JSON, column", json_error("{\n \"a\": 1,\n"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:5 [A] a = 2: is already set at ", json_error("{\n \"A\": {\n \"a\": 1,\n\n \"a\": 2} }"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 a: null is no value", json_error("{\n \"a\": null}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 a: a list holds numbers or strings", json_error("{\n \"a\": [[1]]}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 a: a list holds numbers or strings", json_error("{\n \"a\": [{}]}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 a: 'x, y' inside a list", json_error("{\n \"a\": [\"x, y\"]}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 A/a: a name cannot hold '/'", json_error("{\n \"A/a\": 1}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:2 a = x # y: a value holds no '#'", json_error("{\n \"a\": \"x # y\"}"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:1: a JSON deck is one object", json_error("[1]"));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.json:1: a JSON deck is one object", json_error("1"));
}

TEST(Deck, WithoutSomeSectionsAndEntries)
{
  Deck deck = Deck::from_text(
      "set Title = a\nsubsection Loads\n  set Factor = 1\n  subsection push\n    set Force = 2\n  end\nend\nsubsection Time\n  set End time = 3\n"
      "  set Time step = 4\nend\n",
      "beam.prm");
  double step = 0;
  Parameters time = deck.root().section("Time");
  time.add("Time step", step, "");
  Deck rest = deck.without([](const std::string &path, const std::string &entry) { return path == "Loads" || entry == "End time"; });
  EXPECT_EQ(rest.as_prm(), "set Title = a\nsubsection Time\n  set Time step = 4\nend\n");
  EXPECT_EQ(deck.without([](const std::string &, const std::string &) { return false; }).as_prm(), deck.as_prm());
  // Errors point at the deck's own lines, and what was used of the deck is not used of the rest.
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:8", message([&] { rest.finish(); }));
}

TEST(Deck, CommandLineWins)
{
  Deck deck = Deck::from_text("subsection Integrator\nsubsection newmark\nset beta = 0.25\nend\nend", "beam.prm");
  deck.set("Integrator/newmark/beta = 0.9");
  EXPECT_EQ(message([&] { NewmarkEntries().declare(Parameters(deck, "Integrator/newmark")); }),
            "--set Integrator/newmark/beta [Integrator/newmark] beta = 0.9: must be in [0, 0.5]. "
            "Meaning: weight of the new acceleration [-].");
  deck.set("Integrator/newmark/beta=0.5");
  deck.set("Integrator/newmark/gamma=1");
  NewmarkEntries newmark;
  newmark.declare(Parameters(deck, "Integrator/newmark"));
  EXPECT_EQ(newmark.beta, 0.5);
  EXPECT_EQ(newmark.gamma, 1.);
  EXPECT_EQ(message([&] { deck.set("beta"); }), "--set beta: has no '='; write --set \"Section/Sub/Entry=value\".");
  EXPECT_PRED_FORMAT2(IsSubstring, "--set A//b=1: a name is empty", message([&] { deck.set("A//b=1"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "--set =1: no entry is named", message([&] { deck.set("=1"); }));
  EXPECT_PRED_FORMAT2(IsSubstring, "--set a", message([&] { deck.set("a=#"); }));
  deck.set("Integrator/newmark/bet=1");
  EXPECT_PRED_FORMAT2(IsSubstring, "--set Integrator/newmark/bet: unknown entry 'bet' in section", message([&] { deck.finish(); }));
}

TEST(Deck, FinishReportsAllUnknown)
{
  Deck deck = Deck::from_text(
      "set tilte = x\nsubsection Integrater\n  set a = 1\n  subsection b\n    set c = 1\n  end\nend\n"
      "subsection Integrator\n  subsection newmark\n    set Beta = 0.1\n    set zeta = 0\n  end\n"
      "  subsection numark\n  end\nend\n",
      "beam.prm");
  std::string title;
  deck.root().add("Title", title, "help");
  NewmarkEntries().declare(deck.root().section("Integrator").section("newmark"));
  deck.root().section("Time").section("steps");
  EXPECT_EQ(message([&] { deck.finish(); }),
            "beam.prm:1: unknown entry 'tilte' outside of all sections; did you mean 'Title'? Known here: Title.\n"
            "beam.prm:2: unknown section 'Integrater'; did you mean 'Integrator'? Known here: Integrator, Time.\n"
            "beam.prm:10: unknown entry 'Beta' in section Integrator/newmark; did you mean 'beta'? "
            "Known here: beta, gamma, Newton iterations.\n"
            "beam.prm:11: unknown entry 'zeta' in section Integrator/newmark; did you mean 'beta'? "
            "Known here: beta, gamma, Newton iterations.\n"
            "beam.prm:13: unknown section 'numark' in section Integrator; did you mean 'newmark'? Known here: newmark.");
}

TEST(Deck, FinishSaysWhereAnEntryBelongs)
{
  Deck deck = Deck::from_text("subsection A\nset beta = 1\nend", "beam.prm");
  deck.root().section("A");
  NewmarkEntries().declare(deck.root().section("Integrator"));
  EXPECT_EQ(message([&] { deck.finish(); }),
            "beam.prm:2: unknown entry 'beta' in section A; no entry is known here. There is one in section Integrator.");
}
}  // namespace symdyn::tests::in_deck
