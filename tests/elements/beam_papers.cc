// Whole beams against closed forms and papers: statics with directors that turn with their nodes or are elastic, and frequencies.
#include "tests/beams.h"

namespace symdyn::tests::in_beam_papers
{
namespace
{
using namespace beams;

/// Positions of the tip of a roll-up at shares of the moment 2 pi E I/L, k = 1..25.
Vectors rolled_up(const int count)
{
  Structure s;
  add_line(s, type(3, rectangle_section(1, 0.1), 1.2e6, 0), 3, count, straight({}, {12, 0, 0}, {0, 1, 0}));
  Vectors tips;
  for (int k = 1; k <= 25; ++k)
  {
    EXPECT_FALSE(solve(s, {{s.unknowns() - 2, -2 * pi * 100 / 12 * k / 25}}, clamped(s)).empty()) << k;
    tips.push_back(s.tip());
  }
  return tips;
}

/// Displacement of the end of Bathe's and Bolourchi's bend.
GramVector bend(const int size, const int count, const double force, const double elastic = 0, const int points = 0)
{
  Structure s;
  s.elastic = elastic;
  const Line arc = [](const double share) -> std::array<GramVector, 3> {
    const double a = share * pi / 4, R = 100;
    return {GramVector{R * std::sin(a), R * (1 - std::cos(a)), 0}, {-std::sin(a), std::cos(a), 0}, {0, 0, 1}};
  };
  add_line(s, type(size, numbers(1, 1. / 12, 1. / 6), 1e7, 0, points), size, count, arc);
  const GramVector start = s.tip();
  for (int k = 1; k <= 4; ++k)
    EXPECT_FALSE(solve(s, {{s.unknowns() - s.per_node() + 2, force * k / 4}}, clamped(s)).empty()) << k;
  return combination(s.tip(), -1, start);
}

/// Displacement along the long side, the short side and the axis of the cantilever of Princeton.
GramVector princeton(const double force, const double degrees)
{
  Structure s;
  const double angle = degrees * pi / 180;
  const GramVector along{0, std::sin(angle), std::cos(angle)};
  add_line(s, type(3, rectangle_section(12.77e-3, 3.2024e-3), 71.7e9, 0.31), 3, 16, straight({}, {0.508, 0, 0}, along));
  const GramVector start = s.tip();
  for (int k = 1; k <= 8; ++k)
    EXPECT_FALSE(solve(s, {{s.unknowns() - 4, -force * k / 8}}, clamped(s)).empty()) << k;
  const GramVector u = combination(s.tip(), -1, start);
  return {dot(u, along), -dot(u, cross({1, 0, 0}, along)), u[0]};
}

/// Load of Lee's frame at deflections in steps of 0.5, and u_x at the last.
Numbers lee(const int steps, double &u_x)
{
  Structure s;
  const BeamType leg = type(3, numbers(6, 2, 4), 7.2e6, 0.3);
  add_line(s, leg, 3, 10, straight({}, {0, 120, 0}, {-1, 0, 0}));
  add_line(s, leg, 3, 10, straight({0, 120, 0}, {120, 120, 0}, {0, 1, 0}), 20);
  std::map<int, double> held;
  for (const int first : {0, s.unknowns() - 6})
    for (int i = 0; i < 5; ++i)
      held[first + i] = 0;
  const int loaded = 6 * 24 + 1;
  Numbers loads;
  for (int k = 1; k <= steps; ++k)
  {
    held[loaded] = -0.5;
    const Numbers reaction = solve(s, {}, held);
    EXPECT_FALSE(reaction.empty()) << k;
    loads.push_back(reaction.empty() ? 0 : reaction[loaded]);
  }
  u_x = s.y[s.nodes[24][0]][0] - 24;
  return loads;
}

/// Frequencies of a simply supported beam of square section [Hz].
Numbers frequencies(const double J)
{
  Structure s;
  const BeamSection section = numbers(4, 4. / 3, J);
  const BeamType deep(3, section.stiffness(200e9, 0.3), section.mass(8000));
  add_line(s, deep, 3, 10, straight({}, {10, 0, 0}, {0, 1, 0}));
  const int n = s.unknowns();
  Numbers K = balance(s, {}).A, M(n * n, 0.), result;
  for (const auto &[element, sites, sigma] : s.parts)
  {
    const int size = int(sites.size());
    Numbers m(9 * size * size, 0.);
    for (int i = 0; i < 9 * size * size; ++i)
      if (const int r = i / (3 * size), c = i % (3 * size); r % 3 == c % 3)
        m[i] = element.all().mass[r / 3 * size + c / 3];
    add_reduced(chart(s), sites, m, n, M);
  }
  for (const int held : {0, 1, 2, 3, n - 5, n - 4})
    K[held * n + held] *= 1e9;
  for (int mode = 0; mode < 9; ++mode)
  {
    double low = 0, high = 1000;
    while (high - low > 1e-5)
      (negative(K, std::pow(pi * (low + high), 2), M) > mode ? high : low) = (low + high) / 2;
    result.push_back(high);
  }
  return result;
}
}  // namespace

TEST(BeamPapers, RollUp)
{
  const Vectors tips = rolled_up(8), fine = rolled_up(16);
  expect_near(tips.back(), {0.01527, 0, 6.1e-5}, 5e-6);
  expect_near(fine.back(), {0.00609, 0, 1e-5}, 5e-6);
  double worst = 0;
  for (int k = 1; k <= 25; ++k)
  {
    const double a = 2 * pi * k / 25;
    expect_near(fine[k - 1], {12 * std::sin(a) / a, 0, 12 * (1 - std::cos(a)) / a}, 7e-3);
    worst = std::max(worst, std::abs(tips[k - 1][0] - 12 * std::sin(a * 1.01) / (a * 1.01)));
  }
  EXPECT_GT(worst, 0.05) << "a moment that is wrong by 1 % is seen";
}

/// Bathe, Bolourchi 1979; Simo, Vu-Quoc 1986.
TEST(BeamPapers, BendOf45Degrees)
{
  expect_near(bend(3, 16, 300), {-11.9331, -7.0448, 40.1926}, 1e-4);
  const GramVector u = bend(3, 16, 600);
  expect_near(u, {-23.5634, -13.6049, 53.4758}, 1e-4);
  expect_near(u, {-23.5606, -13.6046, 53.4755}, 3e-3);  // other measures of strain
  expect_near(bend(2, 8, 600), {-23.6962, -13.5424, 53.5929}, 1e-4);
  expect_near(bend(3, 16, 600, 1e7), u, 3e-3);  // elastic directors
  EXPECT_GT(bend(3, 16, 600, 1e5)[2], u[2] + 0.1) << "soft ones";
  EXPECT_LT(bend(2, 8, 600, 0, 2)[2], 50) << "full integration locks";
}

/// Dowell, Traybar 1975; Bauchau et al. 2016.
TEST(BeamPapers, Princeton)
{
  expect_near(princeton(4.448, 30), {-0.004327, 0.038726, -0.001798}, 2e-6);
  expect_near(princeton(4.448, 60), {-0.002609, 0.066101, -0.0052}, 2e-6);
  expect_near(princeton(13.345, 30), {-0.015321, 0.114473, -0.016119}, 2e-6);
  expect_near(princeton(13.345, 60), {-0.010776, 0.177582, -0.03915}, 2e-6);
  expect_near(princeton(13.345, 90), {0, 0.196234, -0.04806}, 2e-6);
}

/// Schweizerhof, Wriggers 1986: limit load 18532.
TEST(BeamPapers, LeeFrame)
{
  double u_x = 0;
  const Numbers load = lee(97, u_x);
  for (const auto &[w, expected] : std::map<int, double>{{10, 9623.99}, {20, 13441.92}, {30, 15932.34}, {40, 17783.51}, {48, 18524.32}})
    EXPECT_NEAR(load[2 * w - 1] / expected, 1, 1e-5) << w;
  EXPECT_NEAR(load.back() / 18530.8, 1, 1e-5);
  EXPECT_NEAR(u_x, 26.551, 1e-3);
}

/// NAFEMS FV5; bending in pairs, torsion (also the 7th), extension.
TEST(BeamPapers, FrequenciesOfADeepBeam)
{
  const Numbers f = frequencies(2.24923), other = frequencies(8. / 3),
                expected{42.61, 42.61, 71.196, 125., 147.823, 147.823, 213.595, 282.663, 282.663};
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(f[i] / expected[i], 1, 1e-4) << i;
  EXPECT_NEAR(other[2], 77.54, 0.03) << "the polar moment as torsion constant: the other published variant";
}

/// D of a diagonal section is kept as six numbers, of another one in the blocks of strains that it couples.
TEST(BeamElements, StrainsThatNothingCouplesStandAlone)
{
  constexpr int m = BeamStrain::count;
  const std::vector<GramVector> rest{{0, 0, 0}, {0, 0, 2}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
  BeamStiffness C{};
  for (int i = 0; i < m; ++i)
    C[m * i + i] = 2. + i;
  EXPECT_EQ(beam_model(2, C, {1, {}, {1, 1, 0}}, rest).blocks.size(), std::size_t(m));
  const auto couple = [&C](const int i, const int j) { C[m * i + j] = C[m * j + i] = 0.5; };
  couple(0, 5);
  couple(5, 3);
  couple(1, 4);
  const GramModel model = beam_model(2, C, {1, {}, {1, 1, 0}}, rest);
  std::vector<std::vector<int>> strains;
  for (const GramBlock &block : model.blocks)
  {
    strains.push_back(block.strains);
    for (std::size_t i = 0; i < block.strains.size(); ++i)
      for (std::size_t j = 0; j < block.strains.size(); ++j)
        EXPECT_EQ(block.D[i * block.strains.size() + j] == 0., C[m * block.strains[i] + block.strains[j]] == 0.);
  }
  EXPECT_EQ(strains, (std::vector<std::vector<int>>{{0, 3, 5}, {1, 4}, {2}}));
}
}  // namespace symdyn::tests::in_beam_papers
