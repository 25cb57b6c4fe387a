#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "solver/base/csv.h"
#include "solver/base/spectrum.h"
#include "solver/error.h"
#include "tests/results_deck.h"

// Spectra and peaks of histories, also after a restart.
namespace symdyn::tests::in_spectra
{
namespace
{
const double pi = std::acos(-1.);

/// The definition.
std::vector<std::complex<double>> slow_transform(const std::vector<std::complex<double>> &x)
{
  std::vector<std::complex<double>> X(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t n = 0; n < x.size(); ++n)
      X[k] += x[n] * std::polar(1., -2. * pi * double(k * n % x.size()) / double(x.size()));
  return X;
}

TEST(Spectra, TransformIsTheDefinition)
{
  for (std::size_t N = 1; N <= 130; N += N < 40 ? 1 : 29)
  {
    std::vector<std::complex<double>> x(N);
    for (std::size_t n = 0; n < N; ++n)
      x[n] = {std::sin(1. + 2.3 * double(n * n)), std::cos(0.7 * double(n) + 3.)};
    const auto fast = fourier(x), slow = slow_transform(x);
    double off = 0;
    for (std::size_t k = 0; k < N; ++k)
      off = std::max(off, std::abs(fast[k] - slow[k]));
    EXPECT_LT(off, 1e-13 * double(N)) << N;
  }
}

TEST(Spectra, AmplitudesOfSinusoids)
{
  for (const std::size_t N : {100, 128, 127})
  {
    std::vector<double> x(N);
    for (std::size_t n = 0; n < N; ++n)
      x[n] = 5. + 3. * std::cos(2. * pi * 7. * double(n) / double(N) + 0.4) + 0.25 * std::sin(2. * pi * 20. * double(n) / double(N));
    const auto none = amplitudes(x, Window::none), hann = amplitudes(x, Window::hann);
    ASSERT_EQ(none.size(), N / 2 + 1);
    for (const auto &spectrum : {none, hann})
    {
      EXPECT_NEAR(spectrum[0], 5., 1e-12);
      EXPECT_NEAR(spectrum[7], 3., 1e-12);
      EXPECT_NEAR(spectrum[20], 0.25, 1e-12);
      EXPECT_NEAR(spectrum[13], 0., 1e-12);
    }
    EXPECT_NEAR(none[8], 0., 1e-12);
    EXPECT_NEAR(hann[8], 1.5, 1e-12) << "the window spreads half to each neighbour";
  }
  // The highest frequency counts once.
  EXPECT_NEAR(amplitudes({1., -1., 1., -1.}, Window::none)[2], 1., 1e-15);
  // Leakage of a period that does not fit: the window is what lowers it.
  std::vector<double> leaking(128);
  for (std::size_t n = 0; n < leaking.size(); ++n)
    leaking[n] = std::sin(2. * pi * 10.5 * double(n) / 128.);
  EXPECT_LT(amplitudes(leaking, Window::hann)[40], 0.02 * amplitudes(leaking, Window::none)[40]);
}

TEST(Spectra, RowsAreUniform)
{
  const auto rows = [](const std::vector<double> &t) { return uniform_rows(t, {t}, {"t"}); };
  // Rows each ten steps and the last one; a row at a restart between; a row twice.
  EXPECT_EQ(rows({0., 10., 20., 30., 40., 43.}).columns[0], (std::vector<double>{0., 10., 20., 30., 40.}));
  EXPECT_EQ(rows({0., 10., 13., 20., 30., 30., 40., 43., 50.}).columns[0], (std::vector<double>{0., 10., 20., 30., 40., 50.}));
  const UniformRows many = rows([] {
    std::vector<double> t;
    for (int i = 0; i < 5000; ++i)
      t.push_back(i * 0.001 + 1e-14 * (i % 3));
    return t;
  }());
  EXPECT_EQ(many.columns[0].size(), 5000u);
  EXPECT_NEAR(many.step, 0.001, 1e-15);
  EXPECT_THROW(rows({0., 10., 20., 40., 50., 60.}), InputError) << "a row is missing";
  EXPECT_THROW(rows({0., 1., 3., 7., 15., 31.}), InputError);
  EXPECT_THROW(rows({0., 1., 2.}), InputError);
  EXPECT_THROW(uniform_rows({0., 1., 2., 3.}, {{0., 0., std::nan(""), 0.}}, {"x"}), InputError);
}

TEST(Results, SpectrumOfAnOscillator)
{
  // 1 kg on a spring of 4 pi² N/m: 1 Hz. Rows each 2 steps; the end is none of them.
  const Folder folder;
  const Outcome outcome = run_written(folder, R"(
set Structure = discrete
subsection Points
  set Dimension = 2
  set Report = bead
  subsection wall
    set Position = 0, 0
    set Fixed = yes
  end
  subsection bead
    set Mass = 1
    set Position = 1, 0
    set Velocity = 0.62831853071795865, 0
  end
end
subsection Springs
  subsection spring
    set From = wall
    set To = bead
    set Stiffness = 39.478417604357434
  end
end
subsection Time
  set Time step = 0.001
  set End time = 3.999
end
subsection Output
  set History every = 2
  set Spectra = bead.x, bead.v_x
  set Spectra window = none
end
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const CsvTable spectra = CsvTable::read(folder / "results/spectra.csv");
  EXPECT_EQ(spectra.headers, (std::vector<std::string>{"frequency [Hz]", "bead.x [m]", "bead.v_x [m/s]"}));
  EXPECT_NEAR(spectra.values[0][4], 1., 1e-9);
  EXPECT_NEAR(spectra.values[1][4], 0.1, 1e-4);
  EXPECT_NEAR(spectra.values[2][4], 0.2 * pi, 1e-3);
  EXPECT_LT(spectra.values[1][3], 1e-3);
  EXPECT_NEAR(spectra.values[1][0], 1., 1e-4) << "the mean";
}

TEST(Results, GoOnAfterARestartOnRanks)
{
  const std::vector<std::string> settings{"Output/Maxima every=1", "Output/Spectra=clamp", "Output/Checkpoint every=7",
                                          "Output/Fields=displacement, quadrature stress"};
  const Folder straight, split;
  ASSERT_EQ(run_written(straight, cantilever + dynamics, settings).exit_code, 0);
  auto shorter = settings;
  shorter.push_back("Time/End time=0.1");
  ASSERT_EQ(run_written(split, cantilever + dynamics, shorter).exit_code, 0);
  const std::string before = text_of(split / "results/peaks.csv");
  const Outcome on = command(split, "mpirun --oversubscribe --allow-run-as-root -n 3 " SYMDYN_BINARY " run --quiet --restart " +
                                        split.path + "/results --set 'Time/End time=0.2'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_NE(text_of(split / "results/peaks.csv"), before) << "the largest values come later";
  const Outcome same =
      tool(split, "compare --tolerance 1e-8 --ignore krylov,newton " + straight.path + "/results " + split.path + "/results");
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  const Outcome spectra =
      tool(split, "compare --tolerance 1e-7 " + (straight / "results/spectra.csv") + " " + (split / "results/spectra.csv"));
  EXPECT_EQ(spectra.exit_code, 0) << spectra.terminal;
  const CsvTable a = CsvTable::read(straight / "results/peaks.csv"), b = CsvTable::read(split / "results/peaks.csv");
  ASSERT_EQ(a.rows(), b.rows());
  int found = 0;
  for (std::size_t i = 0; i < a.rows(); ++i)
    if (a.texts[a.column("column")][i] == "clamp.R_y")
    {
      ++found;
      EXPECT_NEAR(a.values[a.column("maximum")][i], b.values[b.column("maximum")][i], 1e-6);
      EXPECT_EQ(a.values[a.column("time of maximum")][i], b.values[b.column("time of maximum")][i]);
    }
  EXPECT_EQ(found, 1);
}

TEST(Results, PeaksHaveTheirTimes)
{
  const std::string stages =
      "subsection Stages\n  subsection push\n    set Type = static\n  end\n  subsection swing\n    set Type = dynamic\n  end\nend\n";
  for (const bool with_statics : {false, true})
  {
    const Folder folder;
    // Double load in the static stage; the body then swings about half of its first displacement.
    const Outcome outcome = run_written(
        folder, cantilever + dynamics + stages,
        {"Loads/push/Amplitude=if(t < 1e-9, 1, 0.5)", "Output/Peaks include static stages=" + std::string(with_statics ? "yes" : "no")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const CsvTable peaks = CsvTable::read(folder / "results/peaks.csv");
    ASSERT_EQ(peaks.headers[2], "time of minimum [s]");
    int found = 0;
    for (std::size_t row = 0; row < peaks.rows(); ++row)
    {
      const std::string name = peaks.texts[0][row];
      if (name != "clamp.R_y" && name != "E_kinetic" && name != "newton")
        continue;
      ++found;
      double least = 1e300, largest_value = -1e300, when_least = 0, when_largest = 0;
      for (std::size_t i = 0; i < outcome.history.rows(); ++i)
        if (with_statics || outcome.history.stage[i] == "swing")
        {
          const double value = outcome.history[name][i], t = outcome.history["time"][i];
          if (value < least)
            least = value, when_least = t;
          if (value > largest_value)
            largest_value = value, when_largest = t;
        }
      EXPECT_EQ(peaks.values[1][row], least) << name;
      EXPECT_EQ(peaks.values[2][row], when_least) << name;
      EXPECT_EQ(peaks.values[3][row], largest_value) << name;
      EXPECT_EQ(peaks.values[4][row], when_largest) << name;
      EXPECT_EQ(peaks.texts[5][row], name == "newton" ? "1" : name == "E_kinetic" ? "J" : "N");
    }
    EXPECT_EQ(found, 3);
  }
}
}  // namespace
}  // namespace symdyn::tests::in_spectra
