// Keywords of .inp files: one file, no edit elsewhere.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "meshes/abaqus/job.h"
#include "meshes/mesh.h"
#include "solver/deck/deck.h"
#include "solver/registry.h"
#include "tests/inp_model.h"

namespace symdyn::tests::in_newcomer_keyword
{
using namespace symdyn::abaqus;
using symdyn::abaqus::Line;
using symdyn::abaqus::Where;

/// *TOTAL FORCE: lines of a set of nodes, a component and a force [N], which the nodes share evenly. Like other loads it has OP and
/// AMPLITUDE.
class TotalForce : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"TOTAL FORCE", Where::step, options_of_loads}}; }
  Turn turn() const override { return Turn::loads; }
  void read(Job &job, const Keyword &card, Step *step) override
  {
    begin_card(job, card, *step, "TOTAL");
    for (const Line &line : card.data)
      read_line(job, card, line, *step);
  }

private:
  static void read_line(Job &job, const Keyword &card, const Line &line, Step &step)
  {
    const std::string set = job.word(line, 0);
    const std::vector<std::size_t> nodes = job.model.nodes_of(line, set);
    const long component = job.model.number(line, job.word(line, 1), "the component, 1 to 3,");
    if (component < 1 || component > job.dim)
      job.fail(line.number, job.word(line, 1), fmt::format("the component of a force is 1 to {}.", job.dim));
    Region region{"TOTAL FORCE", set, line.number, {}, std::vector<double>(job.dim, 0.)};
    region.components[component - 1] = static_factor(job, card, step) * job.real(line, 2, "the force") / double(nodes.size());
    for (const std::size_t node : nodes)
      region.places.insert({node, std::size_t(component - 1), 0, 0});
    const std::string name = job.out.fresh("Loads", "total on " + set), path = "Loads/" + name;
    job.out.add(line.number, path, "Type", "nodal-force");
    job.out.add(line.number, path, "Nodes", set);
    job.out.add(line.number, path, "Force", written(region.components));
    write_amplitude(job, card, step, path);
    begin_load(job, card, step, region, name);
  }
};
SYMDYN_REGISTER(Translator, TotalForce, "newcomer total force");

/// *NBOX, NSET=: the set of the nodes up to here that are between x, y, z of its first line and of its second one [m].
class NodesOfABox : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"NBOX"}}; }
  static inline int read = 0;  ///< how many cards
  void read_mesh(Model &model, const Keyword &card) override
  {
    ++read;
    require_options(model.scanner, card, {"NSET"});
    if (card.data.size() != 2)
      model.scanner.fail_at(card.line, "*NBOX", "needs two lines, of two corners.");
    std::vector<std::size_t> &members = model.set(model.node_sets, model.required(card, "NSET"), card.line).members;
    for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    {
      bool inside = true;
      for (std::size_t d = 0; d < 3; ++d)
      {
        const auto corner = [&](const Line &line) { return model.real(line, model.word(line, d), "a coordinate"); };
        const double x = model.mesh.nodes[node][d];
        inside = inside && x >= corner(card.data[0]) && x <= corner(card.data[1]);
      }
      if (inside)
        members.push_back(node);
    }
  }
};
SYMDYN_REGISTER(Translator, NodesOfABox, "newcomer nodes of a box");

const std::string box = "*NBOX, NSET=END\n2., 0., 0.\n3., 1., 1.\n", held = "*BOUNDARY\nROOT, 1, 3\n",
                  tables = "*NODE PRINT, NSET=ALL\nU\n";

std::string two_steps(const std::string &first, const std::string &second)
{
  return rod(3) + box + held + static_step(first + tables) + static_step(second);
}

TEST(NewcomerKeyword, IsWhatItsNodesShare)
{
  const std::string shared = tables_of(two_steps("*TOTAL FORCE\nEND, 1, 40.\n", "*TOTAL FORCE, OP=NEW\nTIP, 2, 4.\n"));
  EXPECT_EQ(shared, tables_of(two_steps("*CLOAD\nEND, 1, 5.\n", "*CLOAD, OP=NEW\nTIP, 2, 1.\n")));
  // F in the cubes up to x = 2, where half of it acts, and F/2 in the last one; k = E A/L = 1000 N/m of each.
  const auto rows = rows_below(shared, "displacements");
  EXPECT_NEAR(of_node(rows, 9)[0], 0.08, 1e-10);
  EXPECT_NEAR(of_node(rows, 13)[0], 0.1, 1e-10);
}

TEST(NewcomerKeyword, MayBeWrittenInAnyWay)
{
  const Folder folder;
  std::ofstream(folder / "model.inp") << rod(3) + held + static_step("*totalforce\nTIP, 1, 8.\n");
  EXPECT_NE(Deck::read(folder / "model.inp")
                .as_prm()
                .find("  subsection total on TIP\n    set Type = nodal-force\n    set Nodes = TIP\n    set "
                      "Force = 2, 0, 0\n"),
            std::string::npos);
}

TEST(NewcomerKeyword, AFileIsParsedOnceUnlessItChanges)
{
  const Folder folder;
  const std::string file = folder / "model.inp", text = rod(3) + box + held + static_step("*TOTAL FORCE\nEND, 1, 8.\n");
  std::ofstream(file) << text;
  NodesOfABox::read = 0;
  const auto nodes_of_end = [&] {
    CoarseMesh<3> mesh;
    symdyn::read_mesh(file, mesh);
    return mesh.file_nodes->sets.at("END").size();
  };
  Deck::read(file);
  EXPECT_EQ(nodes_of_end(), 8u);
  EXPECT_EQ(NodesOfABox::read, 1);
  EXPECT_EQ(nodes_of_end(), 8u) << "again, from the file alone";
  EXPECT_EQ(NodesOfABox::read, 2);
  Deck::read(file);
  std::ofstream(file) << std::string(text).replace(text.find("2., 0., 0."), 1, "1");
  EXPECT_EQ(nodes_of_end(), 12u) << "the file has changed";
  EXPECT_EQ(NodesOfABox::read, 4);
}

/// The message of a step with these lines, without its folder.
std::string said_of(const std::string &before, const std::string &inside)
{
  return refusal_of(rod(1) + before + held + static_step(inside));
}

TEST(NewcomerKeyword, ItsErrorsNameThePlace)
{
  // rod(1) has 21 lines, *BOUNDARY 2, *STEP and *STATIC 3.
  const auto expect = [](const std::string &said, const std::string &words) {
    EXPECT_NE(said.find(words), std::string::npos) << "'" << words << "' is not in:\n" << said;
  };
  expect(said_of("", "*TOTAL FORCE\nTIP, 4, 1.\n"), "model.inp:28: 4: the component of a force is 1 to 3.");
  expect(said_of("", "*TOTAL FORCE\nTIPP, 1, 1.\n"), "model.inp:28: TIPP: there is no set of nodes of this name; there are: TIP");
  expect(said_of("", "*TOTAL FORCE, SHARED\nTIP, 1, 1.\n"),
         "model.inp:27: *TOTAL FORCE, SHARED: this option is not known here; there are: "
         "AMPLITUDE");
  expect(said_of("", "*TOTAL FORCE\nTIP, 1, 1., 20.\n"), "model.inp:28: TIP, 1, 1., 20.: 20. is unexpected trailing data of *TOTAL FORCE");
  expect(said_of("*TOTAL FORCE\nTIP, 1, 1.\n", "*TOTAL FORCE\nTIP, 1, 1.\n"), "*TOTAL FORCE: cannot be computed before the first step");
  expect(said_of("", "*TOTAL FORCES\nTIP, 1, 1.\n"),
         "model.inp:27: *TOTAL FORCES: this keyword is not known here. The nearest ones are *TOTAL "
         "FORCE,");
  expect(said_of("*NBOX, NSET=END\n0., 0.\n", ""), "model.inp:22: *NBOX: needs two lines");
}
}  // namespace symdyn::tests::in_newcomer_keyword
