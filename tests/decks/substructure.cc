// Stages of Type = substructure: reduced models against the whole ones, rigid motions, statics, damping, loads, couplings, their files,
// and what is refused.
#include <gtest/gtest.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_substructure
{
namespace
{
using Strings = std::vector<std::string>;
using Numbers = std::vector<double>;

/// A square matrix of a csv with names of rows and columns.
struct Table
{
  Strings names;
  std::vector<Numbers> rows;
  std::size_t at(const std::string &name) const
  {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return found - names.begin();
  }
};
Table matrix_of(const std::string &file)
{
  Table table;
  std::ifstream in(file);
  std::string line, cell;
  for (bool head = true; std::getline(in, line); head = false)
  {
    std::istringstream words(line);
    std::getline(words, cell, ',');
    if (!head)
    {
      table.names.push_back(cell);
      table.rows.emplace_back();
    }
    for (; !head && std::getline(words, cell, ',');)
      table.rows.back().push_back(std::stod(cell));
  }
  return table;
}

struct Reduced
{
  Table K, M;
  nlohmann::json facts;
  /// Without the coordinates whose names begin so.
  std::vector<std::size_t> without(const std::string &held) const
  {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < K.names.size(); ++i)
      if (held.empty() || K.names[i].rfind(held, 0) != 0)
        kept.push_back(i);
    return kept;
  }
  /// Circular frequencies with those held [rad/s], ascending.
  Numbers frequencies(const std::string &held = "") const
  {
    const std::vector<std::size_t> kept = without(held);
    dealii::LAPACKFullMatrix<double> A(kept.size(), kept.size()), B(A);
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (std::size_t j = 0; j < kept.size(); ++j)
      {
        A(i, j) = K.rows[kept[i]][kept[j]];
        B(i, j) = M.rows[kept[i]][kept[j]];
      }
    std::vector<dealii::Vector<double>> shapes(kept.size());
    A.compute_generalized_eigenvalues_symmetric(B, shapes);
    Numbers all;
    for (std::size_t i = 0; i < kept.size(); ++i)
      all.push_back(std::sqrt(std::max(0., A.eigenvalue(i).real())));
    std::sort(all.begin(), all.end());
    return all;
  }
  /// Displacements at rest under forces, with those coordinates held.
  Numbers displacements(const Numbers &f, const std::string &held) const
  {
    const std::vector<std::size_t> kept = without(held);
    dealii::LAPACKFullMatrix<double> A(kept.size(), kept.size());
    dealii::Vector<double> b(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
    {
      b[i] = f[kept[i]];
      for (std::size_t j = 0; j < kept.size(); ++j)
        A(i, j) = K.rows[kept[i]][kept[j]];
    }
    A.compute_lu_factorization();
    A.solve(b);
    Numbers u(f.size(), 0.);
    for (std::size_t i = 0; i < kept.size(); ++i)
      u[kept[i]] = b[i];
    return u;
  }
};

std::string reduce(const std::string &entries) { return section("part", "set Type = substructure\n" + entries + "\nset Export = csv"); }
Reduced reduced(const Folder &folder, const std::string &deck, const std::string &entries, const int ranks = 1)
{
  run_well(folder, deck + stages(reduce(entries)), {}, ranks);
  Reduced found{matrix_of(folder / "results/substructure-part-K.csv"), matrix_of(folder / "results/substructure-part-M.csv"), {}};
  const nlohmann::json summary = nlohmann::json::parse(text_of(folder / "results/summary.json"));
  for (const auto &stage : summary["stages"])
    if (stage["name"] == "part")
      found.facts = stage;
  return found;
}
Reduced reduced(const std::string &deck, const std::string &entries, const int ranks = 1)
{
  const Folder folder;
  return reduced(folder, deck, entries, ranks);
}

/// A block of 2 m x 1 m x 1 m, with a point at a corner of its right face.
std::string block(const std::string &supports = "")
{
  return section("Mesh", "set Type = box\nset Subdivisions = 4, 2, 2\n" + section("box", "set Size = 2, 1, 1")) + elastic(1e6, 0.3, 1000.) +
         section("Points", section("tip", "set On mesh = yes\nset Position = 2, 1, 1")) + section("Output", "set Write every = never") +
         (supports.empty() ? "" : section("Supports", supports));
}
const std::string clamp = section("clamp", "set Boundary = x-");

/// A beam of 1 m, slender and square, of 40 elements.
std::string beam(const std::string &at_foot)
{
  return "set Structure = discrete\n" +
         section("Points", section("foot", "set Position = 0, 0, 0\n" + at_foot) + section("top", "set Position = 1, 0, 0")) +
         section("Beams", section("mast",
                                  "set From = foot\nset To = top\nset Elements = 40\nset Type = B32\nset Direction = 0, 1, 0\nset Size "
                                  "= 0.002, 0.002\nset E = 2e11\nset nu = 0\nset Density = 8000" +
                                      std::string(at_foot.empty() ? "" : "\nset Clamped = from"))) +
         section("Output", "set Write every = never");
}
Numbers modes_of(const std::string &deck, const int number)
{
  const Folder folder;
  run_well(folder, deck + stages(section("forms", fmt::format("set Type = modes\nset Modes = {}", number))));
  Numbers omega = table_of(folder / "results/modes-forms.csv")["frequency"];
  for (double &f : omega)
    f *= 2. * std::acos(-1.);
  return omega;
}
}  // namespace

/// Errors of the frequencies of a beam with both ends as masters against those of the whole one, clamped at one end and free: a program
/// of its own, 40 elements of Hermite. Bending in two planes comes in pairs.
TEST(Substructure, BeamOfTheTable)
{
  const Numbers clamped = modes_of(beam("set Fixed = yes"), 8), free = modes_of(beam(""), 14);
  const std::map<int, Numbers> of_clamped{{0, {0.004754, 0.5797}},
                                          {1, {0.000347, 0.004175}},
                                          {2, {5.837e-05, 0.001091, 0.003698}},
                                          {4, {5.403e-06, 0.00014, 0.0007096, 0.001633}}};
  const std::map<int, Numbers> of_free{{2, {0.0036, 0.004388}}, {4, {0.0004105, 0.0009188, 0.004273}}};
  for (const auto &[modes, errors] : of_clamped)
  {
    const Reduced model = reduced(beam(""), fmt::format("set Masters = foot, top\nset Fixed-interface modes = {}", 2 * modes));
    ASSERT_EQ(model.K.names.size(), std::size_t(12 + 2 * modes));
    const Numbers omega = model.frequencies("foot");
    for (std::size_t i = 0; i < errors.size(); ++i)
      EXPECT_NEAR(omega[2 * i] / clamped[2 * i] - 1., errors[i], 0.02 * errors[i] + 2e-7) << modes << ", " << i;
    if (of_free.count(modes) == 0)
      continue;
    const Numbers all = model.frequencies();
    for (std::size_t i = 0; i < of_free.at(modes).size(); ++i)
      EXPECT_NEAR(all[6 + 2 * i] / free[6 + 2 * i] - 1., of_free.at(modes)[i], 0.02 * of_free.at(modes)[i]) << modes << ", " << i;
  }
}

/// A free block: masses of rigid motions are those of the body, and they have no stiffness. Where a master is left out of a motion, they
/// differ.
TEST(Substructure, RigidMotionsOnRanks)
{
  for (const int ranks : {1, 2})
  {
    const Reduced model = reduced(block(), "set Masters = x-, x+\nset Fixed-interface modes = 4", ranks);
    EXPECT_LT(model.facts["rigid motions"]["mass"].get<double>(), 1e-10);
    EXPECT_LT(model.facts["rigid motions"]["stiffness"].get<double>(), 1e-10);
    const std::size_t n = model.K.names.size();
    ASSERT_EQ(n, 58u);
    double mass = 0, work = 0, size = 0, spoilt = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (model.K.names[i].back() == 'x' && model.K.names[j].back() == 'x')
        {
          mass += model.M.rows[i][j];
          work += model.K.rows[i][j];
          size += std::abs(model.K.rows[i][j]);
          spoilt += i == 0 || j == 0 ? 0. : model.K.rows[i][j];
        }
    EXPECT_NEAR(mass, 2000., 2e-7);
    EXPECT_LT(std::abs(work), 1e-10 * size);
    EXPECT_GT(std::abs(spoilt), 1e-3 * size / double(n)) << "without one master";
  }
}

/// Frequencies of the reduced model come down to those of the whole one: fewer modes are worse, none is below.
TEST(Substructure, FrequenciesFromAbove)
{
  const Numbers whole = modes_of(block(clamp), 3);
  Numbers before(3, 10.);
  for (const int modes : {0, 3, 12, 40})
  {
    const Numbers omega = reduced(block(), fmt::format("set Masters = x-, x+\nset Fixed-interface modes = {}", modes)).frequencies("x-");
    for (std::size_t i = 0; i < 3; ++i)
    {
      const double error = omega[i] / whole[i] - 1.;
      EXPECT_GT(error, -1e-9) << modes;
      EXPECT_LT(error, before[i]) << modes;
      before[i] = error;
    }
  }
  EXPECT_LT(before[0], 1e-4);
}

/// Forces on masters, and loads inside, displace masters as those of the whole model at rest; without the load inside they do not.
TEST(Substructure, StaticsAreExact)
{
  const std::string loads = section("Loads", section("pull", "set Type = traction\nset Boundary = y+\nset Traction = 30, -20, 10")) +
                            section("Forces", section("push", "set Points = tip\nset Force = 100, 300, -200"));
  const Folder folder, other;
  const Reduced model = reduced(folder, block() + loads, "set Masters = x-, tip\nset Fixed-interface modes = 2");
  const Table f = matrix_of(folder / "results/substructure-part-loads.csv");
  const Outcome whole = run_well(other, block(clamp) + loads + section("Probes", section("corner", "set Point = 2, 1, 1")) +
                                            stages(section("rest", "set Type = static")));
  Numbers both, push_alone;
  for (const Numbers &row : f.rows)
  {
    ASSERT_EQ(row.size(), 2u);
    both.push_back(row[0] + row[1]);
  }
  const Numbers u = model.displacements(both, "x-");
  for (const char axis : {'x', 'y', 'z'})
  {
    const std::size_t at = model.K.at(std::string("tip.") + axis);
    const double exact = whole.history.last(std::string("corner.u_") + axis);
    EXPECT_NEAR(u[at], exact, 1e-10 * std::abs(exact)) << axis;
    push_alone.push_back(exact);
  }
  Numbers forces(both.size(), 0.);
  forces[model.K.at("tip.x")] = 100.;
  forces[model.K.at("tip.y")] = 300.;
  forces[model.K.at("tip.z")] = -200.;
  EXPECT_GT(std::abs(model.displacements(forces, "x-")[model.K.at("tip.x")] / push_alone[0] - 1.), 1e-2);
}

/// C_r = alpha M_r + beta K_r of Rayleigh's damping, of a body whose stiffness is constant.
TEST(Substructure, Damping)
{
  const Folder folder;
  const Reduced model = reduced(folder, block() + section("Damping", "set Mass proportional = 0.7\nset Stiffness proportional = 0.002"),
                                "set Masters = x-, x+\nset Up to = 20");
  EXPECT_LE(model.facts["largest fixed-interface frequency"].get<double>(), 20.);
  const Table C = matrix_of(folder / "results/substructure-part-C.csv");
  ASSERT_EQ(C.names, model.K.names);
  EXPECT_EQ(C.names.back(), fmt::format("mode {}", C.names.size() - 54));
  for (std::size_t i = 0; i < C.rows.size(); ++i)
    for (std::size_t j = 0; j < C.rows.size(); ++j)
      EXPECT_NEAR(C.rows[i][j], 0.7 * model.M.rows[i][j] + 0.002 * model.K.rows[i][j], 1e-9 * std::sqrt(C.rows[i][i] * C.rows[j][j]));
}

/// The reference of a coupling is a master: the body follows it.
TEST(Substructure, CouplingsFollow)
{
  const std::string coupled = block() + section("Couplings", section("lid", "set At = eye\nset Boundaries = x+\nset Geometry = linear"));
  const auto with_eye = [&](std::string deck) {
    return deck.replace(deck.find("subsection Points\n"), 18, "subsection Points\nsubsection eye\nset Position = 2, 0.4, 0.5\nend\n");
  };
  const Reduced model = reduced(with_eye(coupled), "set Masters = x-, eye\nset Fixed-interface modes = 3");
  EXPECT_EQ(model.K.names.size(), 27u + 6u + 3u);
  EXPECT_LT(model.facts["rigid motions"]["mass"].get<double>(), 1e-10);
  EXPECT_LT(model.facts["rigid motions"]["stiffness"].get<double>(), 1e-10);
  const Folder other;
  const Outcome whole = run_well(other, with_eye(coupled) + section("Supports", clamp) +
                                            section("Forces", section("push", "set Points = eye\nset Force = 10, 30, -20")) +
                                            stages(section("rest", "set Type = static")));
  // A rotation as a master keeps the directors of its node in shape; here they are inside.
  const Reduced places = reduced(with_eye(coupled), "set Masters = x-, eye.x, eye.y, eye.z");
  Numbers f(places.K.names.size(), 0.);
  f[places.K.at("eye.x")] = 10.;
  f[places.K.at("eye.y")] = 30.;
  f[places.K.at("eye.z")] = -20.;
  const Numbers u = places.displacements(f, "x-");
  const std::map<char, double> place{{'x', 2.}, {'y', 0.4}, {'z', 0.5}};
  for (const auto &[axis, X] : place)
    EXPECT_NEAR(u[places.K.at(std::string("eye.") + axis)] / (whole.history.last(std::string("eye.") + axis) - X), 1., 1e-6) << axis;
  expect_refused(with_eye(coupled) + stages(reduce("set Masters = x-, tip")), "'tip.x' follows other nodes");
}

/// Shells have two rotations a node, and their rigid motions have no stiffness.
TEST(Substructure, Shell)
{
  const std::string plate = "set Structure = discrete\n" +
                            section("Mesh", "set Type = plate\nset Subdivisions = 4, 2\n" + section("plate", "set Size = 1, 0.5")) +
                            elastic(1e9, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.02\nset Material = stuff")) +
                            section("Output", "set Write every = never");
  const Reduced model = reduced(plate, "set Masters = x-, x+\nset Fixed-interface modes = 4");
  EXPECT_EQ(model.K.names.size(), 6u * 5u + 4u);
  EXPECT_EQ(model.K.names[3], "x-:1.rx");
  EXPECT_LT(model.facts["rigid motions"]["stiffness"].get<double>(), 1e-10);
}

/// NumPy reads the archive; cards of NASTRAN and the file of CalculiX have the same stiffness.
TEST(Substructure, Files)
{
  const Folder folder;
  run_well(folder, block() + section("Forces", section("push", "set Points = tip\nset Force = 1, 2, 3")) +
                       stages(section("part",
                                      "set Type = substructure\nset Masters = x-, tip\nset Fixed-interface modes = 2\nset Export = "
                                      "npz, mat, csv, dmig")));
  const std::string script = write_file(folder, "read.py", "stem = '" + (folder / "results/substructure-part") + R"('
import numpy as np, csv
z = np.load(stem + '.npz')
K = z['K']; names = [n.decode() for n in z['coordinates']]
assert K.shape == z['M'].shape == (32, 32) and z['places'].shape == (30, 3) and z['loads'].shape == (32, 1)
assert names[-3:] == ['tip.z', 'mode 1', 'mode 2'] and list(z['load_names']) == [b'push'] and not z['turns'].any()
assert abs(z['places'][29] - [2, 1, 1]).max() < 1e-15 and list(z['axes'][28]) == [0, 1, 0]
assert abs(np.sqrt(np.diag(K)[30:]) / (2 * np.pi) - z['frequencies']).max() < 1e-9
assert abs(z['loads'][27:30, 0] - [1, 2, 3]).max() < 1e-9
rows = list(csv.reader(open(stem + '-K.csv')))
assert rows[0][1:] == names and abs(np.array([r[1:] for r in rows[1:]], float) - K).max() == 0
points, A, col, now = {}, {}, None, None
for line in open(stem + '.dmig'):
    f = [line[:8].strip()] + [line[i:i + 16].strip() for i in range(8, len(line) - 1, 16)]
    if f[0] == 'DMIG*': now, col = f[1], (int(f[2]), int(f[3]))
    elif f[0] == '*' and now: A[now, col, (int(f[1]), int(f[2]))] = float(f[3].replace('D', 'E'))
tip = 10
assert abs(A['KAAX', (tip, 2), (tip, 2)] / K[28, 28] - 1) < 1e-9 and abs(A['KAAX', (tip, 1), (tip, 3)] / K[29, 27] - 1) < 1e-9
assert abs(A['KAAX', (tip + 2, 0), (tip + 2, 0)] / K[31, 31] - 1) < 1e-9 and abs(A['PAX', (1, 0), (tip, 3)] - 3) < 1e-8
assert abs(A['MAAX', (tip, 2), (tip + 1, 0)] / z['M'][30, 28] - 1) < 1e-8
)");
  const Outcome read = command(folder, "/usr/bin/python3 " + script);
  EXPECT_EQ(read.exit_code, 0) << read.terminal;
}

TEST(Substructure, Refused)
{
  const auto refused = [](const std::string &entries, const std::string &words, const std::string &supports = "") {
    expect_refused(block(supports) + stages(section("part", "set Type = substructure\n" + entries)), words);
  };
  refused("", "a substructure needs masters");
  refused("set Masters = tipp", "tipp");
  refused("set Masters = x-.rotations", "'x-.rotations' adds no master");
  refused("set Masters = x-.w", "behind the last dot stands 'w', and components are .x, .y, .z and .rotations");
  refused("set Masters = x-, tip, tip", "'tip' adds no master");
  refused("set Masters = tip", "nothing resists a motion of the inside");
  refused("set Masters = x-", "'x-:1.x' is held by a support", clamp);
  refused("set Masters = x-\nset Up to = 20\nset Fixed-interface modes = 3", "exclude each other");
  refused("set Masters = x-\nset Up to = 1e-6", "no mode of the inside lies below 1e-06 Hz. Raise it, or remove it");
  refused("set Masters = x-\nset Export = hdf5", "'hdf5' is none of npz, mat, csv, dmig, mtx");
  refused("set Masters = x-\nset Export = mtx\nset Fixed-interface modes = 1", "this file has masters alone");
  refused("set Masters = x-\nset File name = a", "is of the .mtx file");
  refused("set Masters = x-\nset Export = mtx\nset File name = a/b", "Leave folders out");
}
}  // namespace symdyn::tests::in_substructure
