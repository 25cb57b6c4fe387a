// Files that are no decks, and decks that no editor would write: each gets one error with file and line, the value, the rule and the way
// out.
#include <sys/stat.h>

#include "solver/base/text_file.h"
#include "solver/deck/deck.h"
#include "solver/run/run.h"
#include "tests/input.h"

namespace symdyn::in_bad_files
{
namespace
{
const std::string
    box =
        "subsection Mesh\n  set Subdivisions = 2, 2, 2\nend\nsubsection Materials\n  subsection body\n    set Type = st-venant-kirchhoff\n    set E = 1000\n    set nu = 0.3\n"
        "    set Density = 1000\n  end\nend\nsubsection Supports\n  subsection wall\n    set Boundary = x-\n  end\nend\n"
        "subsection Time\n  set Time step = 0.01\n  set End time = 0.1\nend\n",
    nodes =
        "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n",
    cell = "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n",
    material = "*MATERIAL, NAME=Steel\n*ELASTIC\n210000., .3\n*DENSITY\n2.\n*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL\n",
    rest = material + "*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n*STEP\n*STATIC\n*CLOAD\n7, 3, 1.\n*END STEP\n", cube = nodes + cell + rest;

std::string replaced(std::string text, const std::string &from, const std::string &to)
{
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string in_utf16(const std::string &text, const std::string &mark)
{
  std::string wide = mark;
  for (const char c : text)
    wide += std::string{c, '\0'};
  return wide;
}

class BadFiles : public ::testing::Test
{
protected:
  void build(const std::string &file) const
  {
    Deck deck = Deck::read(file);
    symdyn::Run(deck).build();
  }
  /// Of a deck of this name with this text, read and built.
  std::string refusal(const std::string &name, const std::string &text) const
  {
    const std::string file = folder.file(name, text);
    return without_folder(message([&] { build(file); }));
  }
  std::string without_folder(const std::string &said) const { return replaced(said, folder.path.string() + "/", ""); }
  void expect_said(const std::string &said, const std::string &start, const std::vector<std::string> &parts = {}) const
  {
    EXPECT_EQ(said.compare(0, start.size(), start), 0) << said << "\n does not begin with " << start;
    for (const std::string &part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << "one error: " << said;
    EXPECT_LT(said.size(), 1500u) << said.substr(0, 2000);
    EXPECT_TRUE(is_utf8(said)) << said;
    for (const unsigned char c : said)
      EXPECT_FALSE(std::iscntrl(c)) << said;
  }
  void expect_refused(const std::string &name, const std::string &text, const std::string &start,
                      const std::vector<std::string> &parts = {}) const
  {
    SCOPED_TRACE(name + ": " + text.substr(0, 60));
    expect_said(refusal(name, text), start, parts);
  }
  void expect_unreadable(const std::string &name, const std::string &why) const
  {
    expect_said(without_folder(message([&] { Deck::read((folder.path / name).string()); })), name, {"cannot be read: " + why});
  }
  DeckFolder folder;
};
}  // namespace

TEST_F(BadFiles, TheGoodOnesAreBuilt)
{
  EXPECT_NO_THROW(build(folder.file("box.prm", box)));
  EXPECT_NO_THROW(build(folder.file("cube.inp", cube)));
}

TEST_F(BadFiles, MarksLineEndsAndTabsDoNotMatter)
{
  const std::string plain = Deck::read(folder.file("box.prm", box)).as_prm(), from_inp = Deck::read(folder.file("cube.inp", cube)).as_prm();
  for (const std::string mark : {"", "\xEF\xBB\xBF"})
    for (const std::string end : {"\n", "\r\n"})
      for (const std::string blank : {" ", "\t", " \t "})
      {
        EXPECT_EQ(
            Deck::read(folder.file("box.prm", mark + replaced(replaced(box, "  set ", "\t set" + blank), "\n", blank + end))).as_prm(),
            plain);
        EXPECT_EQ(
            Deck::read(folder.file("cube.inp", mark + replaced(replaced(cube, ", ", blank + "," + blank), "\n", blank + end))).as_prm(),
            from_inp);
      }
}

TEST_F(BadFiles, OtherEncodings)
{
  for (const std::string name : {"deck.prm", "deck.inp", "deck.json"})
    for (const std::string mark : {"\xFF\xFE", "\xFE\xFF", ""})
      expect_refused(name, in_utf16(name == "deck.inp" ? cube : box, mark), name + ":1: ", {"UTF-16", "Save it as UTF-8"});
  // Latin-1: in what names and titles hold, not in comments and headings.
  expect_refused("deck.prm", "set Title = Tr\xE4ger\n" + box, "deck.prm:1 Title = Tr?ger", {"not text in UTF-8", "Latin-1"});
  expect_refused("deck.prm", "subsection Tr\xE4ger\nend\n", "deck.prm:1: ", {"not text in UTF-8"});
  expect_refused("deck.inp", replaced(cube, "CUBE", "K\xF6rper"), "deck.inp:10: ", {"K?rper", "not text in UTF-8"});
  EXPECT_NO_THROW(build(folder.file("deck.prm", "# Tr\xE4ger\nset Title = Tr\xC3\xA4ger\n" + box)));
  EXPECT_NO_THROW(build(folder.file("deck.inp", "*HEADING\nTr\xE4ger\n** Tr\xE4ger\n" + cube)));
}

TEST_F(BadFiles, UTF8IsKnownFromOthers)
{
  for (const char *good : {"", "abc", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char *bad :
       {"\xE4", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST_F(BadFiles, WhatIsNoFile)
{
  for (const std::string name : {"deck.prm", "deck.inp", "deck.json"})
  {
    const std::filesystem::path file = folder.path / name;
    expect_unreadable(name, "No such file");
    std::filesystem::create_directory(file);
    expect_unreadable(name, "it is a folder");
    std::filesystem::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    expect_unreadable(name, "it is a pipe");  // and not waited for
    std::filesystem::remove(file);
    for (const char *device : {"/dev/null", "/dev/zero"})
    {
      std::filesystem::create_symlink(device, file);
      expect_unreadable(name, "it is a device");
      std::filesystem::remove(file);
    }
    std::filesystem::create_symlink(file, file);
    expect_unreadable(name, "Too many levels of symbolic links");
    std::filesystem::remove(file);
  }
  ASSERT_EQ(mkfifo((folder.path / "pipe.csv").c_str(), 0600), 0);
  expect_refused("deck.prm", "include pipe.csv\n", "deck.prm:1: pipe.csv cannot be read: it is a pipe");
  expect_refused("deck.prm", "include " + std::string(300, 'a') + "\n", "deck.prm:1: ", {"File name too long"});
  expect_refused("deck.inp", "*HEADING\n*INCLUDE, INPUT=pipe.csv\n", "deck.inp:2: pipe.csv: cannot be read: it is a pipe");
  expect_refused("deck.inp", "*INCLUDE, INPUT=" + std::string(300, 'a') + "\n", "deck.inp:1: ", {"File name too long"});
  expect_refused("deck.inp", "*INCLUDE, INPUT=.\n", "deck.inp:1: ", {"it is a folder"});
  const std::string load =
      "subsection Loads\n  subsection pull\n    set Type = traction\n    set Boundary = x+\n    set Traction = 1, 0, 0\n    set Amplitude file = pipe.csv\n  end\nend\n";
  expect_refused("deck.prm", box + load, "deck.prm:26 [Loads/pull] Amplitude file = pipe.csv", {"it is a pipe"});
  expect_refused("deck.prm", replaced(box, "set Subdivisions = 2, 2, 2", "set Type = file\n  set File = ."), "deck.prm:3 [Mesh] File = .",
                 {"cannot be read: it is a folder"});
}

TEST_F(BadFiles, EmptyFilesAndBinaries)
{
  expect_refused("deck.prm", "", "deck.prm [Materials]: there is no material");
  expect_refused("deck.inp", "", "deck.inp: is empty");
  expect_refused("deck.inp", "** nothing\n\n", "deck.inp: has no *STEP");
  expect_refused("deck.json", "", "deck.json:1: JSON");
  std::string binary =
      "\x7F"
      "ELF\x02\x01\x01\n";
  binary += std::string(9, '\0') + "\xFF";
  for (const std::string name : {"deck.prm", "deck.inp", "deck.json"})
    expect_refused(name, binary, name + ":2: has a zero byte", {"it is not text"});
  for (const std::string name : {"deck.prm", "deck.inp", "deck.json"})
    expect_refused(name, "\x1F\x8B\x08\x1B[31m" + std::string(100000, '\x9C'), name + ":1: ");
}

TEST_F(BadFiles, CutOff)
{
  // Wherever the file ends: it is refused with a line, or means something; nothing else.
  for (const auto &[name, text] : {std::pair<std::string, std::string>{"deck.prm", box}, {"deck.inp", cube}})
    for (std::size_t end = 0; end < text.size(); end += 7)
      try
      {
        build(folder.file(name, text.substr(0, end)));
      }
      catch (const InputError &error)
      {
        EXPECT_EQ(without_folder(error.what()).compare(0, name.size(), name), 0) << error.what();
      }
  expect_refused("deck.prm", box.substr(0, box.size() - 5), "deck.prm:17: subsection Time has no 'end'");
  expect_refused("deck.inp", cube.substr(0, cube.find("*END STEP")), "deck.inp:22: *STEP: has no *END STEP");
  expect_refused("deck.inp", nodes + "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3,\n", "deck.inp:11: element 1: ", {"here are only 3"});
}
}  // namespace symdyn::in_bad_files
