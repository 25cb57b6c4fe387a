// Files of superelements, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>

#include "tests/compare.h"
#include "tests/superelement_decks.h"

namespace symdyn::tests::in_superelement_files
{
using namespace superelements;

/// Files that NumPy writes, and what is wrong in files.
TEST(Superelements, Files)
{
  const Part part = cube(4);
  const Folder folder;
  const std::string script = write_file(folder, "write.py", "import numpy as np\nz = dict(np.load('" + part.file() + R"('))
def put(name, save=np.savez, **more):
    a = dict(z); a.update(more); save(name, **{k: v for k, v in a.items() if v is not None})
put('good.npz', K=np.asfortranarray(z['K']), nodes=z['nodes'].astype(int), coordinates=z['coordinates'].astype(str))
put('packed.npz', np.savez_compressed)
put('none.npz', M=None)
put('inches.npz', units=np.array(['in', 'kg', 's']))
put('units.npz', units=None)
put('small.npz', K=z['K'].astype(np.float32))
put('shape.npz', M=z['M'][:-1, :-1])
K = z['K'].copy(); K[0, 1] *= 2; put('sym.npz', K=K)
K = z['K'].copy(); K[0, 0] = np.nan; put('nan.npz', K=K)
M = z['M'].copy(); M[0, 0] *= -1; put('negative.npz', M=M)
M = z['M'].copy(); M[0, 1] = M[1, 0] = 2 * np.sqrt(M[0, 0] * M[1, 1]); put('indefinite.npz', M=M)
M = z['M'].copy(); M[-1, :] = M[:, -1] = 0; put('massless.npz', M=M)
M = M.copy(); M[-1, 0] = M[0, -1] = 1; put('alone.npz', M=M)
K = z['K'].copy(); K[0, 0] *= -1; put('soft.npz', K=K)
K = z['K'].copy(); K -= 1e-2 * np.diag(np.diag(K)); put('unstable.npz', K=K)
b = open('good.npz', 'rb').read(); open('comma.npz', 'wb').write(b)
import zipfile
def tight(member):  # no comma and no blank in front of the brace, as other programs write it
    b = zipfile.ZipFile('good.npz').read(member); n = int.from_bytes(b[8:10], 'little')
    head = b[10:10 + n].decode().rstrip().replace(', }', '}').ljust(n - 1) + '\n'
    assert ', }' in b[10:10 + n].decode() and ', }' not in head
    return b[:10] + head.encode() + b[10 + n:]
with zipfile.ZipFile('comma.npz', 'w') as out:
    for member in zipfile.ZipFile('good.npz').namelist(): out.writestr(member, tight(member))
b = open('good.npz', 'rb').read(); open('cut.npz', 'wb').write(b[:len(b) // 2]); open('text.npz', 'w').write('PK nothing')
c = bytearray(b); c[len(b) // 2] ^= 4; open('damaged.npz', 'wb').write(c)
)");
  const Outcome written = command(folder, "cd " + folder.path + " && /usr/bin/python3 " + script);
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  const auto with = [&](const std::string &name) {
    return block(1) + at("tip", "2, 1, 1") + clamp +
           section("Superelements", section("end", "set File = " + (folder / name) + "\n" + behind));
  };
  const std::string end = stages(section("forms", "set Type = modes\nset Modes = 3"));
  const std::vector<double> a = frequencies(with("good.npz"), 3), b = frequencies(joined(part) + clamp, 3),
                            c = frequencies(with("units.npz"), 3), d = frequencies(with("comma.npz"), 3);
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    EXPECT_NEAR(a[i], b[i], 1e-12 * b[i]);
    EXPECT_NEAR(c[i], b[i], 1e-12 * b[i]);
    EXPECT_NEAR(d[i], b[i], 1e-12 * b[i]);
  }
  for (const auto &[name, words] : std::map<std::string, std::string>{{"gone.npz", "cannot be read"},
                                                                      {"packed.npz", "compressed. Write it by numpy.savez"},
                                                                      {"none.npz", "has no array 'M'"},
                                                                      {"inches.npz", "is in in, kg, s, and this deck is in m, kg, s"},
                                                                      {"small.npz", "of type '<f4'"},
                                                                      {"shape.npz", "has 'M' of the shape (33, 33), not (34, 34)"},
                                                                      {"sym.npz", "has 'K' that is not symmetric: rows 1 and 2"},
                                                                      {"nan.npz", "has 'K' with a value that is no number"},
                                                                      {"negative.npz", "has 'M' with the negative mass -"},
                                                                      {"indefinite.npz", "and others a negative kinetic energy"},
                                                                      {"alone.npz", "and others a negative kinetic energy"},
                                                                      {"soft.npz", "has 'K' with the negative stiffness -"},
                                                                      {"unstable.npz", "and others a negative strain energy"},
                                                                      {"cut.npz", "is no archive of NumPy (.npz)"},
                                                                      {"damaged.npz", "is damaged: '"},
                                                                      {"text.npz", "is no archive of NumPy (.npz)"}})
    expect_refused(with(name) + end, words);
  const Folder other;
  const Outcome run = run_text(other, with("massless.npz") + section("Elements", "set Mass = lumped") + swing + newmark("stormer-verlet"));
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.terminal.find("is not positive definite"), std::string::npos) << run.terminal;
}

TEST(Superelements, ARestartWantsTheSameFile)
{
  const Part part = cube(2), other = cube(4);
  const Folder folder;
  const std::filesystem::path file = folder / "part.npz";
  std::filesystem::copy_file(part.file(), file);
  const std::string deck = block(1) + at("tip", "2, 1, 1") + section("Superelements", section("end", "set File = part.npz\n" + behind)) +
                           clamp + swing + newmark("average-acceleration");
  ASSERT_EQ(run_text(folder, deck, {"Output/Checkpoint every=5", "Time/End time=0.02"}).exit_code, 0);
  const std::string again = std::string(SYMDYN_BINARY) + " run --restart " + folder.path + "/results --set 'Time/End time=";
  EXPECT_EQ(command(folder, again + "0.04'").exit_code, 0);
  std::filesystem::copy_file(other.file(), file, std::filesystem::copy_options::overwrite_existing);
  const Outcome changed = command(folder, again + "0.06'");
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_NE(changed.terminal.find("part.npz"), std::string::npos) << changed.terminal;
}

TEST(Superelements, Refused)
{
  const Part part = cube(2), held(block(1) + section("Supports", section("wall", "set Boundary = x+")), "set Masters = x-");
  const std::string end = stages(section("rest", "set Type = static")) + clamp;
  const auto refused = [&](const std::string &entries, const std::string &words, const std::string &more = "") {
    expect_refused(block(1) + at("tip", "2, 1, 1") + part.used(entries) + more + end, words);
  };
  refused("set Origin = 1, 0, 0.1", "nothing stands at (");
  refused(behind + "\nset At = x+, corner", "corner");
  refused(behind + "\nset At = x+", "nothing stands at (2, 1, 1) m");
  refused(behind + "\nset At = flange", "'flange' is no point, no number or set of nodes, and no boundary: ");
  refused(behind + "\nset At = x+, tip, x-", "names 19 nodes, and the file has 10");
  refused(behind + "\nset At = tip\nset Tolerance = 3", "two nodes of the file stand at");
  refused("set Origin = 1, 0", "needs three numbers");
  refused(behind + "\nset Axes = 1, 0, 0", "needs six numbers");
  refused(behind + "\nset Axes = 1, 0, 0, 1, 1, 0", "are not at right angles");
  expect_refused(block(1) + section("Superelements", section("end", "set At = x+")) + end, "needs the file");
  const auto refused_held = [&](const std::string &words, const std::string &more) {
    expect_refused(block(1) + held.used(behind) + more + end, words);
  };
  refused_held("gravity acts, and masters of this superelement do not carry all of its mass",
               section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -1")));
  const Folder folder;
  const std::string record = write_file(folder, "record.csv", "0, 0\n1, 1\n2, 0\n");
  expect_refused(block(1) + held.used(behind) + clamp + swing +
                     section("Base motion", "set File = " + record + "\nset Unit = deck\nset Direction = 1, 0, 0"),
                 "the base moves, and masters of this superelement do not carry all of its mass");
  refused(behind, "a superelement has no centrifugal and Coriolis forces", section("Rotation", "set Speed = 1"));
}
}  // namespace symdyn::tests::in_superelement_files
