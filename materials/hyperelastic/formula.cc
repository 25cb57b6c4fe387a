#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "materials/hyperelastic/formula_code.h"
#include "materials/isotropic.h"
#include "materials/material_of.h"
#include "solver/base/names.h"
#include "solver/base/unit_value.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
const std::vector<std::string> names_of_C{"C11", "C22", "C33", "C12", "C13", "C23"};  // as Symmetric has them
/// Variables of the code.
enum Input
{
  of_I1,
  of_I2,
  of_III,
  of_C,  ///< the first of six
  inputs = of_C + 6
};

/// psi [J/m³], a formula of the deck in I1 = tr C, I2 = ½ (tr² C - C : C), I3 = det C, J = sqrt(I3), the components of C and named
/// constants; psi(C = I) is subtracted. The gradient is a formula too (its part of the invariants: Rivlin (1948)),
///     S = 2 (psi_1 I + psi_2 (I1 I - C) + psi_3 cof C) + 2 dpsi/dC_ij,
/// higher derivatives are those of its evaluation with Duals and Jets: all are exact. Equal parts are computed once, in lanes.
class Formula : public MaterialOf<Formula>
{
public:
  void declare(Parameters &p) override
  {
    std::string text;
    std::vector<std::string> constants;
    p.add("psi", text,
          "strain energy [J/m^3]: a formula of I1, I2, I3, J, C11, C22, C33, C12, C13, C23 of C = F^T F, and the named constants");
    p.add("Named constants", constants, "names and values in psi, with units or in those of the deck: `mu 1.2 MPa, c 0.3`");
    if (!p.given("psi"))
      p.fail(
          "",
          "psi is missing: the strain energy [J/m^3] as a formula. Give, for instance, psi = mu/2*(I1 - 3 - 2*log(J)) + lambda/2*log(J)^2");
    FormulaGraph graph;
    std::vector<std::string> names{"I1", "I2", "I3", "J"};
    const int III = graph.variable(of_III);
    std::vector<int> values{graph.variable(of_I1), graph.variable(of_I2), III, graph.power(III, 0.5)};
    for (std::size_t m = 0; m < names_of_C.size(); ++m)
    {
      names.push_back(names_of_C[m]);
      values.push_back(graph.variable(of_C + int(m)));
    }
    read_constants(p, constants, graph, names, values);
    compile(p, text, graph, names, values);
    refuse_unused(p, text, names);
    check_rest(p);
    check_units(p, text, names, constants);
  }

  template <class T>
  T psi(const Symmetric<T> &C) const
  {
    const std::array<T, inputs> x = input(C);
    T value;
    of_energy(x.data(), &value);
    return value - at_rest;
  }

  template <class T>
  T energy(const T &I1, const T &III) const
  {
    const T x[3] = {I1, T(0.), III};
    T value;
    of_energy(x, &value);
    return value - at_rest;
  }

  bool of_two_invariants() const override { return two_invariants; }
  bool response_ignores_trace() const override { return ignores_trace; }

  template <class T>
  Response<T> response(const T &I1, const T &III) const
  {
    const T x[3] = {I1, T(0.), III};
    T slope[inputs];
    of_gradient(x, slope);
    return {2. * slope[of_I1], 2. * slope[of_III]};
  }

  template <class T>
  Symmetric<T> stress(const Symmetric<T> &C) const
  {
    const std::array<T, inputs> x = input(C);
    T slope[inputs];
    of_gradient(x.data(), slope);
    Symmetric<T> S = combine<T>(T(2. * (slope[of_I1] + slope[of_I2] * x[of_I1])), T(2. * slope[of_III]), cofactor(C));
    for (int m = 0; m < 6 && !isotropic; ++m)
      S[m] += (m < 3 ? 2. : 1.) * slope[of_C + m];  // C_12 stands for C_21 too
    for (int m = 0; m < 6 && !two_invariants; ++m)
      S[m] -= 2. * slope[of_I2] * C[m];
    return S;
  }

  void tangent(const Symmetric<Wide> &C, Symmetric<Wide> &S, Tangent<Wide> &D) const override
  {
    tangent_by_directions(
        C, [this](const Symmetric<Dual<Wide>> &curve) { return stress(curve); }, S, D);
  }

private:
  template <class T>
  std::array<T, inputs> input(const Symmetric<T> &C) const
  {
    std::array<T, inputs> x;
    x[of_I1] = trace(C);
    x[of_I2] = two_invariants ? T(0.) : second_invariant(C);
    x[of_III] = determinant(C);
    for (int m = 0; m < 6; ++m)
      x[of_C + m] = C[m];
    return x;
  }

  static void read_constants(const Parameters &p, const std::vector<std::string> &constants, FormulaGraph &graph,
                             std::vector<std::string> &names, std::vector<int> &values)
  {
    std::string system = "SI";
    if (!constants.empty())
      p.root().section("Units").add("System", system, "");
    for (const std::string &constant : constants)
    {
      const std::size_t blank = constant.find(' ');
      const std::string name = constant.substr(0, blank);
      std::string wrong;
      const auto value = blank == std::string::npos ? std::nullopt : number_in_system(trim(constant.substr(blank)), system, wrong);
      if (!wrong.empty())
        p.fail("Named constants", "'" + constant + "': " + wrong);
      if (!value)
        p.fail("Named constants",
               "'" + constant + "' is not a name and a number, with a unit that exists or without. Write `mu 1.2 MPa, c 0.3`");
      check_name(p, name);
      for (const std::string &other : names)
        if (other == name)
          p.fail("Named constants",
                 "the name '" + name + "' is taken: I1, I2, I3, J and C11 to C23 are variables, and each constant has its own name");
      names.push_back(name);
      values.push_back(graph.constant(*value));
    }
  }

  static void check_name(const Parameters &p, const std::string &name)
  {
    const std::string digits = "0123456789", letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    if (digits.find(name[0]) != std::string::npos || name.find_first_not_of(letters + digits) != std::string::npos)
      p.fail("Named constants", "'" + name + "' is no name for formulas. Give one of letters, digits and _ that begins with a letter");
    if (formula::is_known(name))
      p.fail("Named constants", "'" + name + "' is a function or a constant of all formulas. Give another name");
  }

  void compile(const Parameters &p, const std::string &text, FormulaGraph &graph, const std::vector<std::string> &names,
               const std::vector<int> &values)
  {
    try
    {
      const int psi = graph.read(text, names, values);
      const auto uses = [&](const int input) { return graph.depends(psi, graph.variable(input)); };
      isotropic = true;
      for (int m = 0; m < 6; ++m)
        isotropic = isotropic && !uses(of_C + m);
      two_invariants = isotropic && !uses(of_I2);
      std::vector<int> slopes;
      for (int k = 0; k < inputs; ++k)
        slopes.push_back(graph.derivative(psi, graph.variable(k)));
      const int trace = graph.variable(of_I1);
      ignores_trace = two_invariants && !graph.depends(slopes[of_I1], trace) && !graph.depends(slopes[of_I1], graph.variable(of_III)) &&
                      !graph.depends(slopes[of_III], trace);
      of_energy = graph.code_of({psi});
      of_gradient = graph.code_of(slopes);
    }
    catch (const InputError &error)
    {
      p.fail("psi", error.what());
    }
  }

  /// Nothing in a deck has no effect.
  static void refuse_unused(const Parameters &p, const std::string &text, const std::vector<std::string> &names)
  {
    const Expression formula(text, names);
    for (std::size_t k = 4 + names_of_C.size(); k < names.size(); ++k)
      if (!formula.uses(names[k]))
        p.fail("Named constants", "psi does not have the constant '" + names[k] + "'. Remove it, or use it in psi");
  }

  static constexpr std::array<int, 3> of_stress{-1, 1, -2};  ///< length, mass, time

  /// Where units are larger, psi has the value that J/m³ has in them, at any C: each of its terms is a stress. Constants without a unit are
  /// numbers or stresses; those of decks without any unit are not checked.
  static void check_units(const Parameters &p, const std::string &text, const std::vector<std::string> &names,
                          const std::vector<std::string> &constants)
  {
    const std::size_t first = names.size() - constants.size();
    std::vector<std::array<int, 3>> powers;
    std::vector<double> values;
    std::vector<std::size_t> plain;
    for (const std::string &constant : constants)
    {
      const std::string number = trim(constant.substr(constant.find(' ')));
      const std::size_t blank = number.find_first_of(" \t");
      const std::optional<Unit> unit = blank == std::string::npos ? std::nullopt : unit_from(trim(number.substr(blank)));
      if (!unit)
        plain.push_back(powers.size());
      powers.push_back(unit ? std::array<int, 3>{unit->powers[0], unit->powers[1], unit->powers[2]} : std::array<int, 3>{});
      values.push_back(std::stod(number));
    }
    constexpr std::size_t most = 10;  // 2^10 choices
    if (plain.size() == constants.size() || plain.size() > most)
      return;
    const Expression psi(text, names);
    const auto fits = [&](const std::vector<std::size_t> &free) {
      return with_some_units(free, powers, [&](const auto &units) {
        return scales(psi, first, values, units, 0, of_stress[0]) && scales(psi, first, values, units, 1, of_stress[1]) &&
               scales(psi, first, values, units, 2, of_stress[2]);
      });
    };
    if (fits(plain))
      return;
    std::vector<std::string> suspects;
    for (std::size_t k = 0; k < powers.size(); ++k)
    {
      std::vector<std::size_t> free = plain;
      free.push_back(k);
      if (std::find(plain.begin(), plain.end(), k) == plain.end() && fits(free))
        suspects.push_back("'" + constants[k] + "'");
    }
    p.fail("psi", "is no J/m^3 (a stress, Pa) in each of its terms, by the units of Named constants. " +
                      (suspects.empty() ? std::string("Mend their units") : "Mend the unit of " + join(suspects, " or ")) +
                      ", or give numbers of psi that have a unit a name there");
  }

  /// Whether the answer is yes if each of the constants `free` is a number or a stress.
  template <class Answer>
  static bool with_some_units(const std::vector<std::size_t> &free, std::vector<std::array<int, 3>> powers, const Answer &answer)
  {
    for (std::size_t choice = 0; choice < (std::size_t(1) << free.size()); ++choice)
    {
      for (std::size_t k = 0; k < free.size(); ++k)
        powers[free[k]] = choice >> k & 1 ? of_stress : std::array<int, 3>{};
      if (answer(powers))
        return true;
    }
    return false;
  }

  /// Whether psi - psi(C = I) grows by 2^power if one base unit is half as large.
  static bool scales(const Expression &psi, const std::size_t first, const std::vector<double> &values,
                     const std::vector<std::array<int, 3>> &powers, const int base, const int power)
  {
    constexpr double tolerance = 1e-9;
    const auto at = [&](const Symmetric<double> &C, const bool scaled) {
      std::vector<double> x{trace(C), second_invariant(C), determinant(C), std::sqrt(determinant(C))};
      for (int m = 0; m < 6; ++m)
        x.push_back(C[m]);
      x.resize(first);
      for (std::size_t k = 0; k < values.size(); ++k)
        x.push_back(values[k] * (scaled ? std::pow(2., powers[k][base]) : 1.));
      return psi(x.data());
    };
    Symmetric<double> C = identity<double>();
    for (const double strain : {0.01, 0.1, 0.3, 0.6})
    {
      for (int m = 0; m < 6; ++m)
        C[m] = m < 3 ? 1. + strain * (1. + 0.3 * m) : 0.1 * strain * (m - 2);
      const double change = at(C, false) - at(identity<double>(), false), scaled = at(C, true) - at(identity<double>(), true),
                   expected = std::pow(2., power) * change;
      if (!std::isfinite(change))  // laws of chains with a limit have no value there
        continue;
      if (!(std::abs(scaled - expected) <= tolerance * (std::abs(scaled) + std::abs(expected))))
        return false;
    }
    return true;
  }

  /// At C = I the stress is 0, and the energy a minimum with finite derivatives. Errors: InputError.
  void check_rest(const Parameters &p)
  {
    at_rest = 0.;
    at_rest = psi(identity<Wide>())[0];
    Symmetric<Wide> S;
    Tangent<Wide> D;
    tangent(identity<Wide>(), S, D);
    Symmetric<Jet<Wide>> curve;
    for (int m = 0; m < 6; ++m)
      curve[m] = {Wide(m < 3), Wide(1.), Wide(0.)};
    const Symmetric<Jet<Wide>> along = stress(curve);
    double largest_stress = 0., largest = 0., finite = at_rest;
    for (int m = 0; m < 6; ++m)
    {
      finite += along[m].dd[0];
      largest_stress = std::max(largest_stress, std::abs(S[m][0]));
      for (int n = 0; n < 6; ++n)
        finite += D(m, n)[0], largest = std::max(largest, std::abs(D(m, n)[0]));
    }
    char text[160];
    if (!std::isfinite(finite))
      p.fail("psi",
             "is not finite at rest (C = I: I1 = I2 = 3, I3 = J = 1), or its first three derivatives are not. Rewrite it so that they are");
    if (!(largest_stress <= 1e-10 * largest))
    {
      std::snprintf(text, sizeof text, "has the stresses S11, S22, S33, S12, S13, S23 = %.6g, %.6g, %.6g, %.6g, %.6g, %.6g Pa at rest",
                    S[0][0], S[1][0], S[2][0], S[3][0], S[4][0], S[5][0]);
      p.fail("psi", std::string(text) +
                        " (C = I), where a body without loads has none. Add what balances them, for instance - mu*log(J) to mu/2*(I1 - 3)");
    }
    if (!is_positive_definite(D))
      p.fail(
          "psi",
          "is no minimum at rest (C = I): some strain has no stiffness or a negative one. Give it terms for shear and for changes of volume");
  }

  /// By its Cholesky factors.
  static bool is_positive_definite(const Tangent<Wide> &D)
  {
    double L[6][6];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j)
      {
        double sum = D(i, j)[0];
        for (int k = 0; k < j; ++k)
          sum -= L[i][k] * L[j][k];
        if (i == j && !(sum > 1e-9 * D(i, i)[0]))
          return false;
        L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
      }
    return true;
  }

  FormulaCode of_energy, of_gradient;
  bool isotropic = true, two_invariants = true, ignores_trace = false;
  double at_rest = 0.;
};
}  // namespace

SYMDYN_REGISTER(Material, Formula, "formula");
}  // namespace symdyn
