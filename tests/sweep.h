#pragma once
#include <complex>

#include "tests/linear_decks.h"

// harmonic-sweep.csv of a deck with one harmonic stage, as complex numbers.
namespace symdyn::tests
{
using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

struct Sweep : std::map<std::string, std::vector<double>>
{
  explicit Sweep(const std::string &deck, const std::string &entries, const std::vector<std::string> &settings = {}, const int ranks = 1,
                 const std::string &before = "")
  {
    const Folder folder;
    std::vector<std::string> all{"Output/Write every=never"};
    all.insert(all.end(), settings.begin(), settings.end());
    log = run_well(folder, deck + stages(before + section("sweep", "set Type = harmonic\n" + entries)), all, ranks).log;
    static_cast<std::map<std::string, std::vector<double>> &>(*this) = table_of(folder / "results/harmonic-sweep.csv");
  }
  std::size_t points() const { return at("frequency").size(); }
  double omega(const std::size_t i) const { return 2. * pi * at("frequency")[i]; }
  Complex value(const std::string &column, const std::size_t i) const
  {
    return std::polar(at("amplitude " + column)[i], at("phase " + column)[i] * pi / 180.);
  }
  std::string log;
};

inline void expect_equal(const Complex &got, const Complex &exact, const double tolerance, const std::string &what)
{
  EXPECT_LT(std::abs(got - exact), tolerance * std::abs(exact)) << what << ": " << got << " instead of " << exact;
}
}  // namespace symdyn::tests
