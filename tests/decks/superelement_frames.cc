// Superelements with Recover: frames have the inside.
#include <gtest/gtest.h>

#include <map>

#include "tests/frames.h"  // VTK first
#include "tests/superelement_decks.h"

namespace symdyn::tests::in_superelement_frames
{
using namespace superelements;
namespace
{
/// The displacement by place, of all files of the last frame.
std::map<std::array<long, 3>, std::array<double, 3>> last_frame(const Folder &folder)
{
  std::map<std::array<long, 3>, std::array<double, 3>> at;
  const std::vector<FrameFiles> frames = read_collection(folder / "results/solution.pvd");
  for (const std::string &file : frames.back().files)
  {
    const auto grid = read_grid(file);
    vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      u->GetTuple(i, at[place(*grid, i)].data());
  }
  return at;
}
}  // namespace

/// At rest under a force on a master the inside of the second cube is that of the whole; without Recover nothing is drawn there.
TEST(Superelements, RecoverTheInside)
{
  const std::string inside = "set Masters = x-, tip\nset Inside = yes";
  const Part part(block(1) + at("tip", "1, 1, 1", on_mesh), inside),
      turned(block(1) + at("tip", "0, 1, 0", on_mesh), "set Masters = x+, tip\nset Inside = yes");
  const std::string push = section("Forces", section("push", "set Points = tip\nset Force = 100, 300, -200")) + clamp +
                           stages(section("rest", "set Type = static"));
  const auto frame = [&](const std::string &deck) {
    const Folder folder;
    run_well(folder, deck + push, {"Output/Write every=1"});
    return last_frame(folder);
  };
  const std::string beside = block(1) + at("tip", "2, 1, 1");
  const auto exact = frame(whole()), found = frame(beside + part.used(behind + "\nset Recover = yes")),
             without = frame(beside + part.used(behind)),
             other = frame(beside + turned.used("set Origin = 2, 0, 1\nset Axes = -1, 0, 0, 0, 1, 0\nset Recover = yes"));
  EXPECT_EQ(exact.size(), 45u);
  EXPECT_LT(without.size(), 30u);
  for (const auto *one : {&found, &other})
  {
    ASSERT_EQ(one->size(), exact.size());
    for (const auto &[X, u] : exact)
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(one->at(X)[d], u[d], 1e-9) << X[0] << " " << X[1] << " " << X[2];
  }
  expect_refused(
      beside + Part(block(1) + at("tip", "1, 1, 1", on_mesh), "set Masters = x-, tip").used(behind + "\nset Recover = yes") + push,
      "the file has no inside");
  expect_refused(block(1) + stages(section("part", "set Type = substructure\nset Masters = x-\nset Inside = yes\nset Export = csv")),
                 "is of the .npz file");
}

/// decks/examples/boom.prm: a boom whose outer half is a superelement, beside the whole.
TEST(Superelements, ExampleOfABoom)
{
  const Folder part, joined, body;
  const Outcome made = run_deck(part, "examples/boom-part.prm");
  ASSERT_EQ(made.exit_code, 0) << made.terminal;
  const Outcome boom = run_deck(joined, "examples/boom.prm",
                                {"Superelements/outer/File=" + (part / "results/substructure-outer.npz"), "Output/Precision=double"});
  ASSERT_EQ(boom.exit_code, 0) << boom.terminal;
  std::string deck = text_of(SYMDYN_SOURCE "/decks/examples/boom.prm");
  const std::size_t section = deck.find("subsection Superelements"), next = deck.find("subsection Supports");
  deck.erase(section, next - section);
  const Outcome whole = run_text(
      body, deck, {"Mesh/Subdivisions=10, 1, 1", "Mesh/box/Size=2, 0.1, 0.1", "Points/tip/On mesh=yes", "Output/Precision=double"});
  ASSERT_EQ(whole.exit_code, 0) << whole.terminal;
  const double deflection = whole.history.last("tip.z") - 0.05;
  EXPECT_LT(deflection, -1.5e-3);
  EXPECT_NEAR(boom.history.last("tip.z") - 0.05, deflection, 1e-8 * std::abs(deflection));
  const std::vector<double> exact = table_of(body / "results/modes-forms.csv").at("frequency"),
                            found = table_of(joined / "results/modes-forms.csv").at("frequency");
  ASSERT_EQ(found.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(found[i], exact[i], 1e-4 * exact[i]);
  const auto u = last_frame(joined), u_of_whole = last_frame(body);
  ASSERT_EQ(u.size(), u_of_whole.size());
  for (const auto &[X, of_body] : u_of_whole)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(u.at(X)[d], of_body[d], 1e-8 * std::abs(deflection));
}

/// The file of two ranks has the cells of both, and two ranks draw what one draws.
TEST(Superelements, RecoverOnRanks)
{
  const std::string body = block(1) + at("tip", "1, 1, 1", on_mesh) +
                           stages(section("part", "set Type = substructure\nset Masters = x-, tip\nset Inside = yes")),
                    push = section("Forces", section("push", "set Points = tip\nset Force = 100, 300, -200")) + clamp +
                           stages(section("rest", "set Type = static"));
  std::map<std::array<long, 3>, std::array<double, 3>> of_one;
  for (const int ranks : {1, 2})
  {
    const Folder made, used;
    run_well(made, body, {}, ranks);
    run_well(used,
             block(1) + at("tip", "2, 1, 1") +
                 section("Superelements",
                         section("end", "set File = " + (made / "results/substructure-part.npz") + "\n" + behind + "\nset Recover = yes")) +
                 push,
             {"Output/Write every=1"}, ranks);
    const auto found = last_frame(used);
    if (ranks == 1)
      of_one = found;
    ASSERT_EQ(found.size(), 45u);
    for (const auto &[X, u] : of_one)
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(found.at(X)[d], u[d], 1e-9) << ranks;
  }
}

TEST(Superelements, DamagedInside)
{
  const Part part(block(1) + at("tip", "1, 1, 1", on_mesh), "set Masters = x-, tip\nset Inside = yes");
  const Folder folder;
  const std::string script = write_file(folder, "write.py", "import numpy as np\nz = dict(np.load('" + part.file() + R"('))
def put(name, **more): a = dict(z); a.update(more); np.savez(name, **a)
c = z['inside_cells'].copy(); c[3] = 1e6; put('cells.npz', inside_cells=c)
c = z['inside_cells'].copy(); c[3] = 0.5; put('half.npz', inside_cells=c)
e = z['inside_ends'].copy(); e[[0, 1]] = e[[1, 0]]; put('ends.npz', inside_ends=e)
put('types.npz', inside_types=z['inside_types'][:-1])
put('shape.npz', inside_T=z['inside_T'][:-3])
)");
  const Outcome written = command(folder, "cd " + folder.path + " && /usr/bin/python3 " + script);
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  for (const auto &[name, words] :
       std::map<std::string, std::string>{{"cells.npz", "has 'inside_cells' with 1e+06: these are whole numbers from 0 to"},
                                          {"half.npz", "has 'inside_cells' with 0.5"},
                                          {"ends.npz", "has 'inside_ends' that do not cut 'inside_cells' into cells"},
                                          {"types.npz", "has 'inside_ends' that do not cut"},
                                          {"shape.npz", "has 'inside_T' of the shape"}})
    expect_refused(block(1) + at("tip", "2, 1, 1") + clamp +
                       section("Superelements", section("end", "set File = " + (folder / name) + "\n" + behind + "\nset Recover = yes")) +
                       stages(section("rest", "set Type = static")),
                   words);
}
}  // namespace symdyn::tests::in_superelement_frames
