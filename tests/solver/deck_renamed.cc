#include "solver/deck/deck.h"
#include "tests/input.h"

// Names of the version before: accepted, with a warning.
namespace symdyn::tests::in_deck_renamed
{
using testing::IsSubstring;

namespace
{
struct Read
{
  int order = 1;
  bool given = false;
  std::string shape = "hexahedra", where, text;
  std::vector<std::string> tables, held, warnings;
};

Read read(Deck deck)
{
  Read found;
  Parameters root = deck.root(), mesh = root.section("Mesh");
  mesh.renamed("Degree", "Order");
  mesh.add("Order", found.order, "polynomial order", between(1, 4));
  mesh.renamed_value("Shape", "tensor", "hexahedra");
  mesh.add("Shape", found.shape, "of cells", {"hexahedra", "tetrahedra"});
  mesh.renamed_value("Held", "stands", "hold");
  mesh.add("Held", found.held, "components");
  root.renamed("Prints", "Tables");
  Parameters tables = root.section("Tables");
  for (const std::string &name : tables.named_sections())
  {
    std::string nodes;
    tables.section(name).add("Nodes", nodes, "set of nodes");
    found.tables.push_back(name + ":" + nodes);
  }
  deck.finish();
  found.given = mesh.given("Order");
  found.where = mesh.where("Order");
  found.text = deck.as_prm();
  found.warnings = deck.old_names_used();
  return found;
}

Read read(const std::string &text, const std::vector<std::string> &settings = {})
{
  Deck deck = Deck::from_text(text, "beam.prm");
  for (const std::string &setting : settings)
    deck.set(setting);
  return read(deck);
}

std::string refusal(const std::string &text, const std::vector<std::string> &settings = {})
{
  return message([&] { read(text, settings); });
}
}  // namespace

TEST(DeckRenamed, OldNamesOfEntriesAreReadWithAWarning)
{
  const Read old = read("subsection Mesh\n set Degree = 2\n set Shape = tensor\nend"),
             present = read("subsection Mesh\n set Order = 2\n set Shape = hexahedra\nend");
  EXPECT_EQ(old.order, 2);
  EXPECT_TRUE(old.given);
  EXPECT_EQ(old.where, "beam.prm:2 [Mesh] Order = 2");
  EXPECT_EQ(old.text, present.text) << "what a restart compares";
  ASSERT_EQ(old.warnings.size(), 2u);
  EXPECT_EQ(
      old.warnings[0],
      "beam.prm:2 [Mesh] Degree = 2: the entry is now called \"Order\"; this is the last version that accepts the old name. Rename it");
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:3 [Mesh] Shape = tensor: \"tensor\" is now called \"hexahedra\"", old.warnings[1]);
  EXPECT_TRUE(present.warnings.empty());
}

TEST(DeckRenamed, ErrorsOfOldNamesNameTheirLine)
{
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:2 [Mesh] Order = 7: must be in [1, 4]", refusal("subsection Mesh\n set Degree = 7\nend"));
}

TEST(DeckRenamed, ItemsOfLists)
{
  const Read found = read("subsection Mesh\n set Held = stands, if(t < 1, 0, 1), free\nend");
  EXPECT_EQ(found.held, (std::vector<std::string>{"hold", "if(t < 1, 0, 1)", "free"}));
  EXPECT_EQ(found.warnings.size(), 1u);
}

TEST(DeckRenamed, SectionsWithAllInThem)
{
  const Read found = read("subsection Prints\n subsection b\n  set Nodes = B\n end\n subsection a\n  set Nodes = A\n end\nend",
                          {"Prints/b/Nodes=C", "Tables/c/Nodes=D"});
  EXPECT_EQ(found.tables, (std::vector<std::string>{"c:D", "b:C", "a:A"}));
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:1 [Prints]: the section is now called \"Tables\"", found.warnings[0]);
}

TEST(DeckRenamed, TheCommandLineWinsUnderEitherName)
{
  EXPECT_EQ(read("subsection Mesh\n set Order = 2\nend", {"Mesh/Degree=3"}).order, 3);
  EXPECT_EQ(read("subsection Mesh\n set Degree = 2\nend", {"Mesh/Order=3"}).order, 3);
  EXPECT_EQ(read("subsection Mesh\n set Degree = 2\nend", {"Mesh/Degree=3"}).order, 3);
}

TEST(DeckRenamed, BothNamesAreRefused)
{
  EXPECT_EQ(refusal("subsection Mesh\n set Order = 2\n set Degree = 2\nend"),
            "beam.prm:3 [Mesh] Degree = 2: this is the old name of \"Order\", which beam.prm:2 gives too. Keep one of them.");
  EXPECT_PRED_FORMAT2(IsSubstring, "--set Mesh/Degree [Mesh] Degree = 3: this is the old name of \"Order\"",
                      refusal("", {"Mesh/Order=2", "Mesh/Degree=3"}));
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:4 [Prints]: this is the old name of the section [Tables], which beam.prm:1 gives too",
                      refusal("subsection Tables\nend\n\nsubsection Prints\nend"));
}

TEST(DeckRenamed, OldNamesAreNotUnknown)
{
  Deck reference;
  reference.root().section("Mesh").renamed("Degree", "Order");
  int order = 1;
  reference.root().section("Mesh").add("Order", order, "polynomial order");
  reference.root().renamed("Prints", "Tables");
  reference.root().section("Tables").section("<name>").add("Nodes", order, "set");
  const Deck deck = Deck::from_text(
      "subsection Mesh\n set Degree = 2\n set Dgree = 2\nend\nsubsection Prints\n subsection a\n  set Nodes = 1\n end\nend", "beam.prm");
  EXPECT_EQ(deck.unknown_to(reference).size(), 1u);
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:3: unknown entry 'Dgree'", deck.unknown_to(reference).front());
}
}  // namespace symdyn::tests::in_deck_renamed
