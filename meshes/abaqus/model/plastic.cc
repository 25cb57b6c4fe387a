#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *PLASTIC, *CYCLIC HARDENING, *RATE DEPENDENT and *CREEP: laws that flow, whose elastic constants are those of *ELASTIC.
namespace symdyn::abaqus
{
bool Job::creeps() const
{
  return std::any_of(before.begin(), before.end(), [](const Keyword &card) { return card.name == "CREEP"; });
}

bool Job::flows() const
{
  return creeps() || std::any_of(before.begin(), before.end(), [](const Keyword &card) {
           return card.name == "PLASTIC" || card.name == "USER MATERIAL" || card.name == "VISCOELASTIC";
         });
}

std::string section_at(const Material &material, const double T)
{
  return T == material.temperatures.front() ? material.path : material.path + "/At temperatures/" + written(T);
}

double between_rows(const std::vector<std::pair<double, double>> &rows, const double T)
{
  std::size_t k = 0;
  while (k + 1 < rows.size() && rows[k + 1].first < T)
    ++k;
  if (k + 1 == rows.size() || T <= rows[k].first)
    return rows[k].second;
  return rows[k].second + (rows[k + 1].second - rows[k].second) * (T - rows[k].first) / (rows[k + 1].first - rows[k].first);
}

std::size_t backstresses_of(const Job &job, const Keyword &card)
{
  constexpr double most = 3;  // more stand on two lines
  const double n = card.has("NUMBER BACKSTRESSES")
                       ? job.model.number({card.line, {}}, card.option("NUMBER BACKSTRESSES"), "the number of backstresses")
                       : 1.;
  if (!(n >= 1. && n <= most))
    job.fail(card.line, "*PLASTIC, NUMBER BACKSTRESSES=" + card.option("NUMBER BACKSTRESSES"),
             "1 to 3 are read, which stand on one line. In a .prm deck give Backstress moduli and Backstress recovery.");
  return std::size_t(n);
}

namespace
{
struct FlowPoint
{
  double stress, strain;
};

using Curve = std::vector<FlowPoint>;

/// Lines "stress, plastic strain, temperature": the curve at each temperature, which ascend.
std::vector<std::pair<double, Curve>> curves_of(Job &job, const Keyword &card)
{
  std::vector<std::pair<double, Curve>> curves;
  for (const Line &line : card.data)
  {
    const double T = job.real_or(line, 2, 0., "the temperature");
    if (curves.empty() || T != curves.back().first)
    {
      if (!curves.empty() && T < curves.back().first)
        job.fail(line.number, job.word(line, 2), "temperatures ascend from curve to curve.");
      curves.push_back({T, {}});
    }
    Curve &curve = curves.back().second;
    curve.push_back({job.real(line, 0, "the yield stress"), job.real_or(line, 1, 0., "the plastic strain")});
    if (curve.size() == 1 && curve.front().strain != 0.)
      job.fail(line.number, job.word(line, 1), "the first plastic strain is 0.");
    if (curve.size() > 1 && !(curve.back().strain > curve[curve.size() - 2].strain))
      job.fail(line.number, job.word(line, 1), "plastic strains grow from line to line.");
  }
  if (curves.empty())
    job.fail(card.line, "*" + card.name, "needs lines of stress and plastic strain.");
  return curves;
}

std::vector<std::pair<double, double>> rows_of(const Curve &curve)
{
  std::vector<std::pair<double, double>> rows;
  for (const FlowPoint &point : curve)
    rows.emplace_back(point.strain, point.stress);
  return rows;
}

/// Stresses are linear between two temperatures at each plastic strain.
Curve curve_at(const std::vector<std::pair<double, Curve>> &curves, const double T)
{
  std::set<double> strains;
  for (const auto &[at, curve] : curves)
    for (const FlowPoint &point : curve)
      strains.insert(point.strain);
  Curve all;
  for (const double strain : strains)
  {
    std::vector<std::pair<double, double>> over_T;
    for (const auto &[at, curve] : curves)
      over_T.emplace_back(at, between_rows(rows_of(curve), strain));
    all.push_back({between_rows(over_T, T), strain});
  }
  return all;
}

void write_curve(Job &job, const std::size_t line, const std::string &path, const Curve &curve)
{
  if (curve.size() == 1)
  {
    job.out.add(line, path, "Yield stress", written(curve.front().stress));
    return;
  }
  std::vector<std::string> rows;
  for (const FlowPoint &point : curve)
    rows.push_back(written(point.strain) + " " + written(point.stress));
  job.out.add(line, path, "Hardening table", join(rows));
}

/// `write(section, T)` for each section that has constants of the material.
template <class Write>
void at_each_temperature(const Material &material, const Write &write)
{
  if (material.temperatures.empty())
    write(material.path, 0.);
  for (const double T : material.temperatures)
    write(section_at(material, T), T);
}

void write_curves(Job &job, const Keyword &card, const Material &material)
{
  const auto curves = curves_of(job, card);
  at_each_temperature(material, [&](const std::string &path, const double T) {
    write_curve(job, card.line, path, material.temperatures.empty() ? curves.front().second : curve_at(curves, T));
  });
}

class Plastic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"PLASTIC", Where::material, Options{"HARDENING", "DATA TYPE", "NUMBER BACKSTRESSES"}},
            {"CYCLIC HARDENING", Where::material, Options{"PARAMETERS"}}};
  }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, Plastic, "plastic");

/// The backstress grows by the mean slope of the table, at each temperature.
void write_prager(Job &job, const Keyword &card, const Material &material, const bool with_yield)
{
  std::vector<std::pair<double, double>> slopes, yields;
  for (const auto &[T, curve] : curves_of(job, card))
  {
    if (curve.size() < 2)
      job.fail(card.line, "*PLASTIC", "kinematic hardening needs two points at each temperature, whose slope it has.");
    const double slope = (curve.back().stress - curve.front().stress) / (curve.back().strain - curve.front().strain);
    if (!(slope > 0.))
      job.fail(card.line, "*PLASTIC", "kinematic hardening needs stresses that grow.");
    if (curve.size() > 2)
      job.out.warn(
          card.line, "*PLASTIC, HARDENING=" + card.option("HARDENING"),
          fmt::format("has {} points; the backstress grows by their mean slope, {:.4g}. CalculiX follows the points", curve.size(), slope));
    slopes.emplace_back(T, slope);
    yields.emplace_back(T, curve.front().stress);
  }
  at_each_temperature(material, [&](const std::string &path, const double T) {
    job.out.add(card.line, path, "Backstress moduli", written(between_rows(slopes, T)));
    if (with_yield)
      job.out.add(card.line, path, "Yield stress", written(between_rows(yields, T)));
  });
}

/// Lines of numbers and a temperature: the number i at each temperature, which ascend.
std::vector<std::vector<std::pair<double, double>>> numbers_over_temperature(Job &job, const Keyword &card,
                                                                             const std::vector<std::string> &names)
{
  std::vector<std::vector<std::pair<double, double>>> all(names.size());
  if (card.data.empty())
    job.fail(card.line, "*" + card.name, "needs a line of numbers: " + join(names) + ".");
  for (const Line &line : card.data)
  {
    const double T = job.real_or(line, names.size(), 0., "the temperature");
    if (!all.front().empty() && !(T > all.front().back().first))
      job.fail(line.number, job.word(line, names.size()), "temperatures ascend from line to line.");
    for (std::size_t i = 0; i < names.size(); ++i)
      all[i].emplace_back(T, job.real(line, i, names[i].c_str()));
  }
  return all;
}

/// HARDENING=COMBINED, DATA TYPE=PARAMETERS: sigma_y, then C and gamma of each backstress.
void write_backstresses(Job &job, const Keyword &card, const Material &material)
{
  const std::size_t n = backstresses_of(job, card);
  std::vector<std::string> names{"the yield stress"};
  for (std::size_t i = 1; i <= n; ++i)
    for (const char *const kind : {"C", "gamma"})
      names.push_back(fmt::format("{}{}", kind, i));
  const auto numbers = numbers_over_temperature(job, card, names);
  at_each_temperature(material, [&](const std::string &path, const double T) {
    std::vector<double> moduli, recovery;
    for (std::size_t i = 0; i < n; ++i)
    {
      moduli.push_back(between_rows(numbers[1 + 2 * i], T));
      recovery.push_back(between_rows(numbers[2 + 2 * i], T));
    }
    job.out.add(card.line, path, "Backstress moduli", written(moduli));
    job.out.add(card.line, path, "Backstress recovery", written(recovery));
    if (!material.cyclic)
      job.out.add(card.line, path, "Yield stress", written(between_rows(numbers[0], T)));
  });
}

/// sigma_y + Q (1 - exp(-b p))
void write_saturation(Job &job, const Keyword &card, const Material &material)
{
  const auto numbers = numbers_over_temperature(job, card, {"the yield stress", "Q", "b"});
  at_each_temperature(material, [&](const std::string &path, const double T) {
    job.out.add(card.line, path, "Yield stress", written(between_rows(numbers[0], T)));
    job.out.add(card.line, path, "Saturation stress", written(between_rows(numbers[1], T)));
    job.out.add(card.line, path, "Saturation rate", written(between_rows(numbers[2], T)));
  });
}

void Plastic::read_material(Job &job, const Keyword &card, Material &material)
{
  if (card.name == "CYCLIC HARDENING")
  {
    if (!material.combined)
      job.fail(card.line, "*CYCLIC HARDENING", "is the isotropic part of *PLASTIC, HARDENING=COMBINED, which is missing.");
    return card.has("PARAMETERS") ? write_saturation(job, card, material) : write_curves(job, card, material);
  }
  const std::string hardening = compact(card.option("HARDENING"));
  if (card.has("NUMBER BACKSTRESSES") && !card.has("DATA TYPE"))
    job.fail(card.line, "*PLASTIC, NUMBER BACKSTRESSES", "belongs to DATA TYPE=PARAMETERS. Remove it, or give the parameters.");
  if (card.has("DATA TYPE"))
  {
    if (compact(card.option("DATA TYPE")) != "PARAMETERS" || hardening != "COMBINED")
      job.fail(card.line, "*PLASTIC, DATA TYPE=" + card.option("DATA TYPE"),
               "is not read. Of HARDENING=COMBINED there is PARAMETERS: fit C and gamma to the cycle.");
    return write_backstresses(job, card, material);
  }
  if (hardening.empty() || hardening == "ISOTROPIC")
    write_curves(job, card, material);
  else if (hardening == "KINEMATIC" || hardening == "COMBINED")
    write_prager(job, card, material, hardening == "KINEMATIC");
  else if (hardening == "JOHNSONCOOK")
    write_johnson_cook(job, card, material);
  else
    job.fail(card.line, "*PLASTIC, HARDENING=" + card.option("HARDENING"),
             "the kinds are ISOTROPIC, KINEMATIC, COMBINED and JOHNSON COOK.");
}

class Creep : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"CREEP", Where::material, Options{"LAW", "TIME"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, Creep, "creep");

/// A, n and m of the rate A q^n t^m, line by line for each temperature; m is the same in all.
void Creep::read_material(Job &job, const Keyword &card, Material &material)
{
  const std::string law = compact(card.option("LAW"));
  if (!law.empty() && law != "NORTON" && law != "STRAIN" && law != "TIME")
    job.fail(card.line, "*CREEP, LAW=" + card.option("LAW"), "the laws are NORTON, STRAIN and TIME.");
  if (card.has("TIME"))
    job.fail(card.line, "*CREEP, TIME=" + card.option("TIME"), "times are those of all steps together. Leave the option out.");
  const Line &first = is_over_temperature(card) ? card.data.front() : job.only_line(card, "A, n and m of the rate A q^n t^m");
  const double m = job.real_or(first, 2, 0., "the exponent m of time");
  std::vector<std::pair<double, double>> A, n;
  for (const Line &line : card.data)
  {
    const double T = job.real_or(line, 3, 0., "the temperature");
    if (!A.empty() && !(T > A.back().first))
      job.fail(line.number, job.word(line, 3), "temperatures ascend from line to line.");
    if (job.real_or(line, 2, 0., "the exponent m of time") != m)
      job.fail(line.number, job.word(line, 2), "the exponent of time is the same at all temperatures.");
    A.emplace_back(T, job.real(line, 0, "the coefficient A"));
    n.emplace_back(T, job.real(line, 1, "the exponent n"));
  }
  if (A.size() > 1)
    job.out.warn(card.line, "*CREEP",
                 "has several temperatures: between them the stress of a rate is linear in T. CalculiX makes A and n linear");
  if (m != 0. && law.empty())
    job.out.warn(card.line, "*CREEP",
                 "has no LAW: it hardens by time, as CalculiX reads it; Abaqus hardens by strain. Write LAW=TIME or LAW=STRAIN");
  at_each_temperature(material, [&](const std::string &path, const double T) {
    job.out.add(first.number, path, "Creep coefficient", written(between_rows(A, T)));
    job.out.add(first.number, path, "Creep exponent", written(between_rows(n, T)));
    if (m == 0.)
      return;
    job.out.add(first.number, path, "Time exponent", written(m));
    job.out.add(card.line, path, "Hardens by", law == "STRAIN" ? "strain" : "time");
  });
}
}  // namespace

void write_johnson_cook(Job &job, const Keyword &card, const Material &material)
{
  const Line &line = job.only_line(card, "A, B, n, m, the melting and the transition temperature");
  job.out.add(line.number, material.path, "Yield stress", written(job.real(line, 0, "A")));
  job.out.add(line.number, material.path, "Johnson-Cook modulus", written(job.real(line, 1, "B")));
  job.out.add(line.number, material.path, "Johnson-Cook exponent", written(job.real(line, 2, "n")));
  if (job.real_or(line, 3, 0., "m") == 0.)
    return;
  if (job.heats())
    job.fail(line.number, job.word(line, 3),
             "softening by prescribed temperatures is not read from m. Give curves of *PLASTIC at several temperatures.");
  job.out.warn(line.number, "*PLASTIC, HARDENING=JOHNSON COOK",
               "m has no effect: no step changes temperatures. A .prm deck has Heat fraction for heating by plastic work");
}

namespace
{
class RateDependent : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"RATE DEPENDENT", Where::material, Options{"TYPE"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, RateDependent, "rate dependent");

/// Flow stress over that at rest: POWER LAW 1 + (p'/D)^(1/n); JOHNSON COOK 1 + C ln(p'/p'_0), p' > p'_0.
void RateDependent::read_material(Job &job, const Keyword &card, Material &material)
{
  if (material.flow != "plastic")
    job.fail(card.line, "*RATE DEPENDENT", "belongs to a *PLASTIC without *CREEP. Add *PLASTIC, or remove it.");
  const std::string type = compact(card.option("TYPE"));
  const bool power = type.empty() || type == "POWERLAW";
  if (!power && type != "JOHNSONCOOK")
    job.fail(card.line, "*RATE DEPENDENT, TYPE=" + card.option("TYPE"),
             "the types are POWER LAW and JOHNSON COOK. Fit one of them to the ratios of your table.");
  const Line &line = job.only_line(card, power ? "D and n, at one temperature" : "C and the rate of reference");
  const std::string name = power ? "cowper-symonds" : "johnson-cook";
  const std::vector<double> temperatures = material.temperatures.empty() ? std::vector<double>{0.} : material.temperatures;
  for (const double T : temperatures)
  {
    const std::string path = material.temperatures.empty() ? material.path : section_at(material, T);
    job.out.add(card.line, path, "Rate", name);
    if (power)
      job.out.add(line.number, path + "/" + name, "Exponent", written(job.real(line, 1, "n")));
    else
      job.out.add(line.number, path + "/" + name, "Coefficient", written(job.real(line, 0, "C")));
    job.out.add(line.number, path + "/" + name, "Reference rate",
                power ? written(job.real(line, 0, "D")) : written(job.real(line, 1, "the rate of reference")));
  }
}
}  // namespace
}  // namespace symdyn::abaqus
