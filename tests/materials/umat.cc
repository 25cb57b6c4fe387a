// Laws of users: functions of tests/umat in C and in Fortran against the laws of the program.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "solver/error.h"
#include "tests/input.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_umat
{
namespace
{
std::string file_of(const std::string &name) { return (std::filesystem::path(SYMDYN_BINARY).parent_path() / "tests/umat" / name).string(); }

/// Libraries and the ending of their functions.
std::vector<std::pair<std::string, std::string>> libraries()
{
  std::vector<std::pair<std::string, std::string>> all{{"laws_c.so", ""}};
  if (std::filesystem::exists(file_of("laws_fortran.so")))
    all.emplace_back("laws_fortran.so", "_");
  return all;
}

std::string umat(const std::string &library, const std::string &function, const std::string &constants, const std::string &kinematics,
                 const int states)
{
  return "set Library = " + file_of(library) + "\nset Function = " + function + "\nset Constants = " + constants +
         "\nset Kinematics = " + kinematics + "\nset State variables = " + std::to_string(states) + "\n";
}

std::string plastic(const double hardening, const std::string &kinematics)
{
  return fmt::format("set E = 1000\nset nu = 0.3\nset Yield stress = 20\nset Hardening modulus = {}\nset Kinematics = {}\n", hardening,
                     kinematics);
}

double largest_difference(const Symmetric<Wide> &a, const Symmetric<Wide> &b)
{
  double most = 0;
  for (int m = 0; m < 6; ++m)
    for (int i = 0; i < lanes; ++i)
      most = std::max(most, std::abs(a[m][i] - b[m][i]));
  return most;
}

double largest_difference(const Tangent<Wide> &a, const Tangent<Wide> &b)
{
  double most = 0;
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n)
      for (int i = 0; i < lanes; ++i)
        most = std::max(most, std::abs(a(m, n)[i] - b(m, n)[i]));
  return most;
}
}  // namespace

TEST(Umat, J2IsTheLawOfTheProgram)
{
  for (const auto &[library, ending] : libraries())
    for (const std::string kinematics : {"small", "logarithmic"})
    {
      SCOPED_TRACE(library + " " + kinematics);
      Point of_user("umat", umat(library, "j2" + ending, "1000, 0.3, 20, 100", kinematics, 1)),
          native("plastic", plastic(100., kinematics)), other("plastic", plastic(150., kinematics));
      double differs = 0;
      for (int n = 0; n < 12; ++n)
      {
        const Symmetric<Wide> C = wide(random_C);
        Symmetric<Wide> S, T;
        Tangent<Wide> D, G;
        of_user.law().incremental_tangent(C, of_user.memory(), 0.1, S, D);
        native.law().incremental_tangent(C, native.memory(), 0.1, T, G);
        EXPECT_LT(largest_difference(D, G), 1e-10 * E) << n;
        EXPECT_LT(largest_difference(S, T), 1e-10 * E) << n;
        S = of_user.accept(C, 0.1);
        T = native.accept(C, 0.1);
        EXPECT_LT(largest_difference(S, T), 1e-10 * E) << n;
        differs = std::max(differs, largest_difference(S, other.accept(C, 0.1)));
        EXPECT_NEAR(of_user.dissipated(), native.dissipated(), 1e-10 * native.dissipated());
        EXPECT_NEAR(of_user.free_energy(C), native.free_energy(C), 1e-10 * native.free_energy(C));
      }
      EXPECT_GT(native.dissipated(), 10.);
      EXPECT_GT(differs, 1e-3 * E) << "negative control";
    }
}

/// TEMP is the temperature at the start of an increment, DTEMP what it has changed by; strains are without those of the Expansion.
TEST(Umat, GetsTheTemperature)
{
  constexpr double alpha = 1e-3, T0 = 20., T1 = 70., gamma = 0.01, dt = 0.5;
  const auto owner = heated_material("set Type = umat\nset Expansion = 1e-3\n" + umat("laws_c.so", "warm", "1000, 0.25, 1e-3", "small", 2));
  const HeatedMaterial &law = *heated(*owner);
  std::vector<Wide> m(law.variables()), next(m.size());
  law.begin(Wide(T0), m.data());
  const auto sheared = [&](const double eps) {
    Symmetric<Wide> C = identity<Wide>();
    for (int i = 0; i < 3; ++i)
      C[i] += Wide(2. * eps);
    C[3] = gamma;
    return C;
  };
  const auto mu = [](const double T) { return 1000. * (1. - 1e-3 * T) / 2.5; };
  const auto shown = [&](const std::vector<Wide> &memory) {  // dissipation, the state variables of the function, T
    Wide values[4];
    law.show(memory.data(), values);
    return std::array<double, 3>{values[1][0], values[2][0], values[3][0]};
  };
  law.heat(Wide(T1), 1., m.data());
  const double warm = alpha * (T1 - T0);
  Symmetric<Wide> S = law.incremental_stress(sheared(warm), m.data(), dt, next.data());
  EXPECT_NEAR(S[3][0], mu(T1) * gamma, 1e-13);
  EXPECT_GT(std::abs(S[3][0] - mu(T0) * gamma), 0.1) << "negative control";
  EXPECT_NEAR(S[0][0], 0., 1e-12);
  EXPECT_EQ(shown(next), (std::array<double, 3>{T0, T1 - T0, T1}));
  m = next;
  S = law.incremental_stress(sheared(warm), m.data(), dt, next.data());
  EXPECT_EQ(shown(next), (std::array<double, 3>{T1, 0., T1}));
  EXPECT_NEAR(law.incremental_stress(sheared(warm), m.data(), 0., nullptr)[3][0], mu(T1) * gamma, 1e-13) << "frozen";
  const auto refusal = [](const std::string &text) -> std::string {
    try
    {
      heated_material(text);
    }
    catch (const InputError &error)
    {
      return error.what();
    }
    return "";
  };
  const std::string twice =
      refusal("set Type = umat\nset Temperature = 0\n" + umat("laws_c.so", "warm", "1000, 0.25, 1e-3", "small", 2) +
              "subsection At temperatures\nsubsection 100\n" + umat("laws_c.so", "warm", "1, 0.25, 1e-3", "small", 2) + "end\nend\n");
  EXPECT_NE(twice.find("get the temperature"), std::string::npos) << twice;
}

TEST(Umat, NeoHookeIsTheLawOfTheProgram)
{
  const auto native = make("neo-hooke-log", "set E = 1000\nset nu = 0.3\n");
  for (const auto &[library, ending] : libraries())
  {
    SCOPED_TRACE(library);
    Point of_user("umat", umat(library, "neo_hooke" + ending, "1000, 0.3", "deformation-gradient", 0));
    for (int n = 0; n < 10; ++n)
    {
      const Symmetric<Wide> C = wide(random_C);
      Symmetric<Wide> S, T;
      Tangent<Wide> D, G;
      native->tangent(C, T, G);
      of_user.law().incremental_tangent(C, of_user.memory(), 0.1, S, D);
      EXPECT_LT(largest_difference(S, T), 1e-10 * E);
      EXPECT_LT(largest_difference(D, G), 1e-10 * E);
      of_user.accept(C, 0.1);
      EXPECT_NEAR(of_user.free_energy(C), native->psi(C)[0], 1e-10 * E);
      EXPECT_EQ(of_user.dissipated(), 0.);
      // Frozen about the state: its stress, and its moduli.
      of_user.law().incremental_tangent(C, of_user.memory(), 0., S, D);
      EXPECT_LT(largest_difference(S, T), 1e-10 * E);
      EXPECT_LT(largest_difference(D, G), 1e-10 * E);
    }
  }
}

TEST(Umat, DerivativesHaveSlopeTwo)
{
  for (const std::string kinematics : {"logarithmic", "deformation-gradient"})
  {
    SCOPED_TRACE(kinematics);
    Point point("umat", kinematics == "logarithmic" ? umat("laws_c.so", "j2", "1000, 0.3, 20, 100", kinematics, 1)
                                                    : umat("laws_c.so", "neo_hooke", "1000, 0.3", kinematics, 0));
    point.accept(wide(random_C), 0.1);
    const Symmetric<Wide> C = wide(random_C), H = wide([] { return random_symmetric(0.5); });
    for (const double dt : {0.1, 0.})
    {
      const PointLaw law = point.increment(dt);
      const auto coarse = difference_errors(law, C, H, 0.004), fine = difference_errors(law, C, H, 0.002);
      for (int k = 1; k < 3; ++k)
        if (fine[k] > 1e-6 * E)
          EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 2., 0.2) << k << ", dt = " << dt;
        else
          EXPECT_TRUE(k == 2 || dt == 0.) << "derivative " << k << " of a law that is not linear";
    }
  }
}

TEST(Umat, TheAcceptedStateHasItsStress)
{
  for (const auto &[function, constants, kinematics, states] : {std::tuple{"j2", "1000, 0.3, 20, 100", "small", 1},
                                                                {"j2", "1000, 0.3, 20, 100", "logarithmic", 1},
                                                                {"neo_hooke", "1000, 0.3", "deformation-gradient", 0}})
  {
    Point point("umat", umat("laws_c.so", function, constants, kinematics, states));
    for (int n = 0; n < 5; ++n)
      expect_state_keeps_its_stress(point, wide(random_C), 0.1);
  }
}

TEST(Umat, RotationsAreNotSeen)
{
  expect_isotropy("umat", umat("laws_c.so", "j2", "1000, 0.3, 20, 100", "logarithmic", 1));
  expect_isotropy("umat", umat("laws_c.so", "neo_hooke", "1000, 0.3", "deformation-gradient", 0));
}

/// PNEWDT < 1 and what is no number are points without an answer; energies that a function leaves are no numbers either.
TEST(Umat, FailuresAndMissingEnergiesAreNoNumbers)
{
  Point point("umat", umat("laws_c.so", "silent", "1000, 0.1, 0.2", "small", 0));
  const auto stretched = [](const double strain) {
    Symmetric<Wide> C = identity<Wide>();
    C[0] += 2. * strain;
    return C;
  };
  EXPECT_EQ(point.dissipated(), 0.);
  EXPECT_TRUE(std::isnan(point.stress(stretched(0.15), 0.1)[0][0])) << "PNEWDT";
  EXPECT_TRUE(std::isnan(point.stress(stretched(0.25), 0.1)[0][0]));
  EXPECT_NEAR(point.accept(stretched(0.05), 0.1)[0][0], 50., 1e-12);
  EXPECT_TRUE(std::isnan(point.dissipated()));
  EXPECT_TRUE(std::isnan(point.free_energy(stretched(0.05))));
  EXPECT_NEAR(point.accept(stretched(0.06), 0.1)[0][0], 60., 1e-12) << "and no function is given them";
}

TEST(Umat, WhatIsNotThereIsNamed)
{
  const auto error_of = [](const std::string &text) { return message([&] { make("umat", text); }); };
  const std::string good = umat("laws_c.so", "j2", "1000, 0.3, 20, 100", "small", 1);
  const auto with = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const auto &[text, words] : std::vector<std::pair<std::string, std::string>>{
           {with("set Library = " + file_of("laws_c.so"), ""), "a law of users needs it"},
           {with("laws_c.so", "laws_of_nobody.so"), "laws_of_nobody.so: there is no file"},
           {with("Function = j2", "Function = j3"), "Function = j3: is not in " + file_of("laws_c.so")},
           {with("Function = j2", "Function = idle"), "Function = idle: returns for no strain"},
           {with("1000, 0.3", "-1000, 0.3"), "returns for no strain"},
           {with("= small", "= finite"), "Kinematics = finite"}})
  {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_EQ(error.find("test.prm"), 0u) << error;
  }
}
}  // namespace symdyn::tests::in_umat
