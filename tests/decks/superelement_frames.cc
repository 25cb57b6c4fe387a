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
}  // namespace symdyn::tests::in_superelement_frames
