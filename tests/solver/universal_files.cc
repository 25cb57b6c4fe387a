#include "solver/testdata/universal_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "solver/error.h"
#include "solver/testdata/assurance.h"
#include "tests/run.h"

// Universal files are read as they were written; and what assurance criteria are.
namespace symdyn::tests::in_universal_files
{
namespace
{
using Complex = std::complex<double>;

UniversalFile::Function function_of(const bool even, const bool is_complex)
{
  UniversalFile::Function one;
  one.titles = {"tip.y/shaker.y"};
  one.response = {"tip", 12, 2};
  one.reference = {"shaker", 7, -3};
  one.is_complex = is_complex;
  for (int k = 0; k < 11; ++k)
  {
    one.abscissa.push_back(even ? 0.25 * k : std::pow(1.37, k) / 3.);
    one.values.emplace_back(std::exp(-3. * k) / 7., is_complex ? -std::cos(k) * 1e8 / 3. : 0.);
  }
  one.across = {18, "Frequency", "Hz"};
  one.above = {12, "Acceleration", "m/s^2"};
  one.below = {13, "Force", "N"};
  return one;
}

UniversalFile through_disk(const std::string &text)
{
  const Folder folder;
  std::ofstream(folder / "a.uff", std::ios::binary) << text;
  return UniversalFile::read(folder / "a.uff");
}

std::string error_of(const std::string &text)
{
  try
  {
    through_disk(text);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

TEST(UniversalFiles, FunctionsComeBack)
{
  for (const bool even : {true, false})
    for (const bool is_complex : {true, false})
      for (const bool binary : {true, false})
      {
        UniversalFile file;
        file.functions = {function_of(even, is_complex), function_of(!even, true)};
        const UniversalFile back = through_disk(file.text(binary));
        ASSERT_EQ(back.functions.size(), 2u);
        const UniversalFile::Function &one = back.functions[0], &was = file.functions[0];
        EXPECT_EQ(one.titles, was.titles);
        EXPECT_EQ(one.response.name, "tip");
        EXPECT_EQ(one.response.node, 12);
        EXPECT_EQ(one.reference.direction, -3);
        EXPECT_EQ(one.is_complex, is_complex);
        EXPECT_EQ(one.above.type, 12);
        EXPECT_EQ(one.above.unit, "m/s^2");
        ASSERT_EQ(one.values.size(), was.values.size());
        for (std::size_t k = 0; k < was.values.size(); ++k)
          if (binary)
          {
            EXPECT_EQ(one.values[k], was.values[k]);
            EXPECT_EQ(one.abscissa[k], was.abscissa[k]);
          }
          else
          {
            EXPECT_NEAR(one.values[k].real(), was.values[k].real(), 1e-12 * std::abs(was.values[k].real()));
            EXPECT_NEAR(one.values[k].imag(), was.values[k].imag(), 1e-12 * std::abs(was.values[k].imag()));
            EXPECT_NEAR(one.abscissa[k], was.abscissa[k], 1e-9 * std::abs(was.abscissa[k]));  // the format has 13 columns
          }
      }
}

/// Places of a function in 58b are floats in files of some programs; values may have the bytes of other machines, or single precision.
TEST(UniversalFiles, BytesOfOtherPrograms)
{
  UniversalFile file;
  file.functions = {function_of(false, true)};
  const std::string ours = file.text(true);
  const std::size_t head = ours.find("    58b"), begin = [&] {
    std::size_t at = head;
    for (int line = 0; line < 12; ++line)
      at = ours.find('\n', at) + 1;
    return at;
  }();
  const auto made = [&](const bool swapped, const bool floats, const int type) {
    std::string bytes;
    const auto put = [&](const auto value) {
      char raw[sizeof value];
      std::memcpy(raw, &value, sizeof value);
      if (swapped)
        std::reverse(raw, raw + sizeof value);
      bytes.append(raw, sizeof value);
    };
    for (std::size_t k = 0; k < 11; ++k)
    {
      floats || type == 5 ? put(float(file.functions[0].abscissa[k])) : put(file.functions[0].abscissa[k]);
      for (const double part : {file.functions[0].values[k].real(), file.functions[0].values[k].imag()})
        type == 5 ? put(float(part)) : put(part);
    }
    std::string text = ours.substr(0, begin) + bytes + "    -1\n";
    char line[96];
    std::snprintf(line, sizeof line, "%6db%6d%6d%12d%12zu", 58, swapped ? 2 : 1, 2, 11, bytes.size());
    text.replace(head, 43, line);
    std::size_t seventh = head;
    for (int i = 0; i < 7; ++i)
      seventh = text.find('\n', seventh) + 1;
    text.replace(seventh, 10, type == 5 ? "         5" : "         6");
    return text;
  };
  for (const bool swapped : {false, true})
    for (const bool floats : {false, true})
      for (const int type : {5, 6})
      {
        const UniversalFile back = through_disk(made(swapped, floats, type));
        ASSERT_EQ(back.functions.size(), 1u);
        for (std::size_t k = 0; k < 11; ++k)
        {
          const double small = type == 5 ? 1e-7 : 0.;
          EXPECT_NEAR(back.functions[0].abscissa[k], file.functions[0].abscissa[k],
                      (floats || type == 5 ? 1e-7 : 0.) * file.functions[0].abscissa[k]);
          EXPECT_LE(std::abs(back.functions[0].values[k] - file.functions[0].values[k]), small * std::abs(file.functions[0].values[k]));
        }
      }
}

TEST(UniversalFiles, ShapesAndNodesComeBack)
{
  UniversalFile file;
  file.length_factor = 1000.;
  file.unit_of_length = "mm";
  file.nodes = {{3, {1. / 3., -2e5, 0.}}, {70000, {1e-9, 0., 1.}}};
  UniversalFile::Shape real, complex;
  real.mode = 2;
  real.frequency = 123.456;
  real.viscous = 0.02;
  real.at[3] = {1.25, -0.5, 3e-7, 0., 0., 0.};
  complex.is_complex = true;
  complex.freedoms = 6;
  complex.lambda = {-3., 400.};
  complex.at[70000] = {Complex(1., 2.), Complex(3., -4.), 5., Complex(0., 6.), 7., -8.};
  file.shapes = {real, complex};
  file.functions = {function_of(true, true)};
  const UniversalFile back = through_disk(file.text(true));
  EXPECT_EQ(back.nodes, file.nodes);
  EXPECT_EQ(back.length_factor, 1000.);
  ASSERT_EQ(back.shapes.size(), 2u);
  EXPECT_EQ(back.shapes[0].mode, 2);
  EXPECT_EQ(back.shapes[0].frequency, 123.456);
  EXPECT_EQ(back.shapes[0].at, real.at);
  EXPECT_EQ(back.shapes[1].at, complex.at);
  EXPECT_NEAR(back.shapes[1].viscous, 3. / std::hypot(3., 400.), 1e-12);
  EXPECT_TRUE(back.others.empty());
}

/// Columns of Fortran, D exponents, a dataset of another kind, lines of 80 columns.
TEST(UniversalFiles, OfAnotherProgram)
{
  const UniversalFile file = through_disk(
      "    -1\n    15\n         1         0         0         8  1.00000E-01 -2.00000E+00  3.00000E+00\n    -1\n"
      "    -1\n  2411\n       100         1         1        11\n   1.5000000000000000D+00  -2.0000000000000000D-01   0.0000000000000000D+00\n    -1\n"
      "    -1\n    82\n         1         2         0\nline\n         1         2\n    -1\n");
  EXPECT_EQ(file.nodes.at(1), (std::array<double, 3>{0.1, -2., 3.}));
  EXPECT_EQ(file.nodes.at(100), (std::array<double, 3>{1.5, -0.2, 0.}));
  EXPECT_EQ(file.others, (std::set<int>{82}));
}

TEST(UniversalFiles, FaultsHaveTheirLine)
{
  UniversalFile file;
  file.functions = {function_of(false, true)};
  const std::string text = file.text(false), bytes = file.text(true);
  EXPECT_EQ(has(error_of("t, a\n1, 2\n"), "this is no universal file"), "");
  EXPECT_EQ(has(error_of(text.substr(0, text.size() - 60)), "a.uff:"), "");
  EXPECT_EQ(has(error_of(bytes.substr(0, bytes.size() - 60)), "bytes of values should follow"), "");
  std::string wrong = text;
  wrong.replace(text.rfind("e+"), 2, "!+");
  EXPECT_EQ(has(error_of(wrong), "is not a number"), "");
  EXPECT_EQ(has(error_of("    -1\n    15\n         a         0         0         8 1.0 2.0 3.0\n    -1\n"),
                "a.uff:3: 'a' in columns 1 to 10 is not a number"),
            "");
}

TEST(Assurance, MacIsOneOfMultiplesAlone)
{
  const SensorShape a{1., Complex(2., 1.), -3.}, b{Complex(0., 2.), Complex(-2., 4.), Complex(0., -6.)}, c{1., 0., 0.}, zero(3, 0.);
  EXPECT_NEAR(mac(a, b), 1., 1e-15);
  EXPECT_NEAR(mac(a, c), 1. / 15., 1e-15);
  EXPECT_EQ(mac(a, zero), 0.);
}

/// Against all permutations.
TEST(Assurance, BestPairs)
{
  unsigned int seed = 1;
  const auto any = [&] { return double((seed = 1664525u * seed + 1013904223u) >> 8) / double(1 << 24); };
  for (const auto &[rows, columns] : {std::pair{4, 4}, {3, 5}, {5, 3}, {1, 4}, {6, 6}})
  {
    std::vector<std::vector<double>> table(rows, std::vector<double>(columns));
    for (auto &row : table)
      for (double &value : row)
        value = any();
    const std::vector<int> partner = best_pairs(table);
    double sum = 0;
    std::vector<int> used(columns, 0);
    for (int i = 0; i < rows; ++i)
      if (partner[i] >= 0)
      {
        sum += table[i][partner[i]];
        EXPECT_EQ(used[partner[i]]++, 0);
      }
    std::vector<int> order(std::max(rows, columns));
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = int(i);
    double best = 0;
    do
    {
      double of_order = 0;
      for (int i = 0; i < rows; ++i)
        of_order += order[i] < columns ? table[i][order[i]] : 0.;
      best = std::max(best, of_order);
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(sum, best, 1e-14);
  }
}

/// The mass that SEREP leaves makes modes orthogonal at sensors where they are not by themselves.
TEST(Assurance, ModesAreOrthogonalByMass)
{
  const std::vector<SensorShape> modes{{1., 2., 3., 1.}, {1., 2., 2., -1.}, {0., 0., 0., 0.}};
  const auto p = modal_coordinates({modes[0], modes[1]}, modes);
  ASSERT_TRUE(p);
  EXPECT_GT(mac(modes[0], modes[1]), 0.5);
  EXPECT_LT(mac((*p)[0], (*p)[1]), 1e-28);
  EXPECT_FALSE(modal_coordinates({modes[0]}, {modes[0], modes[0]}));
  EXPECT_FALSE(modal_coordinates({{1.}}, {{1.}, {2.}}));
}
}  // namespace symdyn::tests::in_universal_files
