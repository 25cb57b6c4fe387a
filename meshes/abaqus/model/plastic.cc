#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *PLASTIC, *CYCLIC HARDENING and *CREEP: laws that flow, whose elastic constants are those of *ELASTIC.
namespace symdyn::abaqus
{
bool Job::creeps() const
{
  return std::any_of(before.begin(), before.end(), [](const Keyword &card) { return card.name == "CREEP"; });
}

bool Job::flows() const
{
  return creeps() || std::any_of(before.begin(), before.end(),
                                 [](const Keyword &card) { return card.name == "PLASTIC" || card.name == "USER MATERIAL"; });
}

namespace
{
struct FlowPoint
{
  double stress, strain;
};

/// Lines "stress, plastic strain", at one temperature.
std::vector<FlowPoint> curve_of(Job &job, const Keyword &card)
{
  std::vector<FlowPoint> curve;
  std::string temperature;
  for (const Line &line : card.data)
  {
    const std::string at = job.word(line, 2);
    if (!curve.empty() && at != temperature)
      job.fail(line.number, at, "a second temperature: tables over temperature cannot be computed. Keep one.");
    temperature = at;
    curve.push_back({job.real(line, 0, "the yield stress"), job.real_or(line, 1, 0., "the plastic strain")});
    if (curve.size() > 1 && !(curve.back().strain > curve[curve.size() - 2].strain))
      job.fail(line.number, job.word(line, 1), "plastic strains grow from line to line.");
  }
  if (curve.empty())
    job.fail(card.line, "*" + card.name, "needs lines of stress and plastic strain.");
  if (curve.front().strain != 0.)
    job.fail(card.data.front().number, job.word(card.data.front(), 1), "the first plastic strain is 0.");
  return curve;
}

void write_curve(Job &job, const std::size_t line, const std::string &path, const std::vector<FlowPoint> &curve)
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

class Plastic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"PLASTIC", Where::material, Options{"HARDENING", "DATA TYPE"}}, {"CYCLIC HARDENING", Where::material, Options{}}};
  }
  void read_material(Job &job, const Keyword &card, Material &material) override;
};
SYMDYN_REGISTER(Translator, Plastic, "plastic");

/// The backstress grows by the mean slope of the table.
void write_prager(Job &job, const Keyword &card, const Material &material, const bool with_yield)
{
  const std::vector<FlowPoint> curve = curve_of(job, card);
  if (curve.size() < 2)
    job.fail(card.line, "*PLASTIC", "kinematic hardening needs two points, whose slope it has.");
  const double slope = (curve.back().stress - curve.front().stress) / (curve.back().strain - curve.front().strain);
  if (!(slope > 0.))
    job.fail(card.line, "*PLASTIC", "kinematic hardening needs stresses that grow.");
  if (curve.size() > 2)
    job.out.warn(
        card.line, "*PLASTIC, HARDENING=" + card.option("HARDENING"),
        fmt::format("has {} points; the backstress grows by their mean slope, {:.4g}. CalculiX follows the points", curve.size(), slope));
  job.out.add(card.line, material.path, "Backstress moduli", written(slope));
  if (with_yield)
    job.out.add(card.line, material.path, "Yield stress", written(curve.front().stress));
}

void Plastic::read_material(Job &job, const Keyword &card, Material &material)
{
  if (card.name == "CYCLIC HARDENING")
  {
    if (!material.combined)
      job.fail(card.line, "*CYCLIC HARDENING", "is the isotropic part of *PLASTIC, HARDENING=COMBINED, which is missing.");
    write_curve(job, card.line, material.path, curve_of(job, card));
    return;
  }
  const std::string hardening = compact(card.option("HARDENING"));
  if (card.has("DATA TYPE"))
    job.fail(card.line, "*PLASTIC, DATA TYPE=" + card.option("DATA TYPE"),
             "is not read. In a .prm deck give Backstress moduli and Backstress recovery.");
  if (hardening.empty() || hardening == "ISOTROPIC")
    write_curve(job, card.line, material.path, curve_of(job, card));
  else if (hardening == "KINEMATIC" || hardening == "COMBINED")
    write_prager(job, card, material, hardening == "KINEMATIC");
  else
    job.fail(card.line, "*PLASTIC, HARDENING=" + card.option("HARDENING"), "the kinds are ISOTROPIC, KINEMATIC and COMBINED.");
}

class Creep : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"CREEP", Where::material, Options{"LAW", "TIME"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    const std::string law = compact(card.option("LAW"));
    if (!law.empty() && law != "NORTON" && law != "STRAIN" && law != "TIME")
      job.fail(card.line, "*CREEP, LAW=" + card.option("LAW"), "the laws are NORTON, STRAIN and TIME.");
    const Line &line = job.only_line(card, "A, n and m of the rate A q^n t^m, at one temperature");
    job.out.add(line.number, material.path, "Creep coefficient", written(job.real(line, 0, "the coefficient A")));
    job.out.add(line.number, material.path, "Creep exponent", written(job.real(line, 1, "the exponent n")));
    if (card.has("TIME"))
      job.fail(card.line, "*CREEP, TIME=" + card.option("TIME"), "times are those of all steps together. Leave the option out.");
    const double m = job.real_or(line, 2, 0., "the exponent m of time");
    if (m == 0.)
      return;
    if (law.empty())
      job.out.warn(card.line, "*CREEP",
                   "has no LAW: it hardens by time, as CalculiX reads it; Abaqus hardens by strain. Write LAW=TIME or LAW=STRAIN");
    job.out.add(line.number, material.path, "Time exponent", written(m));
    job.out.add(card.line, material.path, "Hardens by", law == "STRAIN" ? "strain" : "time");
  }
};
SYMDYN_REGISTER(Translator, Creep, "creep");
}  // namespace
}  // namespace symdyn::abaqus
