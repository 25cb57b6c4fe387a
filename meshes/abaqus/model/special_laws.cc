#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DEFORMATION PLASTICITY, *HYPERFOAM and *VISCOELASTIC, TIME=PRONY.
namespace symdyn::abaqus
{
namespace
{
/// All numbers of the lines; empty words behind the last one are left out.
std::vector<double> numbers_of(Job &job, const Keyword &card)
{
  std::vector<double> values;
  for (const Line &line : card.data)
    for (std::size_t i = 0; i < line.words.size() && (i + 1 < line.words.size() || !line.words[i].empty()); ++i)
      values.push_back(job.real(line, i, "a constant"));
  return values;
}

void refuse_thin(const Job &job, const Keyword &card, const Material &material)
{
  if (material.section.thin || job.plane_stress)
    job.fail(card.line, "*" + card.name, "of beams, shells and in plane stress cannot be computed. Take solids.");
}

class DeformationPlasticity : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"DEFORMATION PLASTICITY", Where::material, Options{}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    refuse_thin(job, card, material);
    ++material.laws;
    const Line &line = job.only_line(card, "E, nu, the yield stress, n and alpha, at one temperature");
    job.out.add(card.line, material.path, "Type", "ramberg-osgood");
    if (!job.nonlinear)
      job.out.add(card.line, material.path, "Kinematics", "small");
    const std::pair<const char *, const char *> entries[] = {{"E", "Young's modulus"},
                                                             {"nu", "Poisson's ratio"},
                                                             {"Yield stress", "the yield stress"},
                                                             {"Exponent", "n"},
                                                             {"Yield offset", "alpha"}};
    for (std::size_t i = 0; i < std::size(entries); ++i)
      job.out.add(line.number, material.path, entries[i].first, written(job.real(line, i, entries[i].second)));
  }
};
SYMDYN_REGISTER(Translator, DeformationPlasticity, "deformation plasticity");

/// U = sum 2 mu_i/alpha_i² (...), mu_i and alpha_i of all terms, then nu_i.
class Hyperfoam : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"HYPERFOAM", Where::material, Options{"N"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    refuse_thin(job, card, material);
    ++material.laws;
    const std::string given = card.option("N");
    if (!given.empty() && given != "1" && given != "2" && given != "3")
      job.fail(card.line, "*HYPERFOAM, N=" + given, "a foam has one to three terms.");
    const std::size_t terms = given.empty() ? 1 : std::stoul(given);
    std::vector<double> values = numbers_of(job, card), mu, alpha, nu(terms, 0.);
    if (values.size() < 2 * terms || values.size() > 3 * terms)
      job.fail(card.line, "*HYPERFOAM",
               fmt::format("has {} numbers; {} terms have mu, alpha of each, then nu of each.", values.size(), terms));
    for (std::size_t i = 0; i < terms; ++i)
    {
      mu.push_back(values[2 * i]);
      alpha.push_back(values[2 * i + 1]);
      if (2 * terms + i < values.size())
        nu[i] = values[2 * terms + i];
    }
    const std::size_t line = card.data.front().number;
    job.out.add(card.line, material.path, "Type", "hyperfoam");
    job.out.add(line, material.path, "mu", written(mu));
    job.out.add(line, material.path, "alpha", written(alpha));
    job.out.add(line, material.path, "nu", written(nu));
  }
};
SYMDYN_REGISTER(Translator, Hyperfoam, "hyperfoam");
}  // namespace

namespace
{
struct PronyTerms
{
  std::vector<double> shear, bulk, times;
};

PronyTerms terms_of(const Job &job, const Keyword &card)
{
  if (compact(card.option("TIME")) != "PRONY")
    job.fail(card.line, "*VISCOELASTIC", "is read with TIME=PRONY alone. Fit a Prony series g_i, k_i, tau_i to your data.");
  PronyTerms terms;
  for (const Line &line : card.data)
  {
    terms.shear.push_back(job.real_or(line, 0, 0., "g"));
    terms.bulk.push_back(job.real_or(line, 1, 0., "k"));
    terms.times.push_back(job.real(line, 2, "tau"));
    if (line.words.size() > 3 && !line.words[3].empty())
      job.fail(line.number, line.words[3], "stands behind tau. One term g, k, tau stands in a line.");
  }
  if (terms.times.empty())
    job.fail(card.line, "*VISCOELASTIC", "has no line of data. Give g, k and tau of each term.");
  return terms;
}

double sum_of(const std::vector<double> &ratios)
{
  double sum = 0.;
  for (const double ratio : ratios)
    sum += ratio;
  return sum;
}

class Viscoelastic : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"VISCOELASTIC", Where::material, Options{"TIME"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    const PronyTerms terms = terms_of(job, card);
    job.out.add(card.line, material.path, "Shear ratios", written(terms.shear));
    if (sum_of(terms.bulk) > 0.)
      job.out.add(card.line, material.path, "Bulk ratios", written(terms.bulk));
    job.out.add(card.line, material.path, "Times", written(terms.times));
  }
};
SYMDYN_REGISTER(Translator, Viscoelastic, "viscoelastic");
}  // namespace

void find_relaxation(const Job &job, const std::vector<Keyword> &cards, Material &material)
{
  const auto found = std::find_if(cards.begin(), cards.end(), [](const Keyword &card) { return card.name == "VISCOELASTIC"; });
  for (const Keyword &card : cards)
    if (const std::string moduli = compact(card.option("MODULI")); card.has("MODULI"))
    {
      if (moduli != "INSTANTANEOUS" && moduli != "LONGTERM")
        job.fail(card.line, "MODULI=" + card.option("MODULI"), "is INSTANTANEOUS or LONG TERM.");
      if (found == cards.end())
        job.fail(card.line, "MODULI=" + card.option("MODULI"), "belongs to *VISCOELASTIC, which is missing.");
    }
  if (found == cards.end())
    return;
  const std::string unserved = !material.flow.empty()  ? "beside *PLASTIC or *CREEP"
                               : material.section.thin ? "of beams and shells"
                               : job.plane_stress      ? "in plane stress"
                                                       : "";
  if (!unserved.empty())
    job.fail(found->line, "*VISCOELASTIC", unserved + " cannot be computed. Take solids of *ELASTIC or *HYPERELASTIC alone.");
  const auto has_law = [](const Keyword &card) { return card.name == "HYPERELASTIC" || (card.name == "ELASTIC" && is_isotropic(card)); };
  const auto law = std::find_if(cards.begin(), cards.end(), has_law);
  if (law == cards.end())
    job.fail(found->line, "*VISCOELASTIC", "needs an isotropic *ELASTIC, or *HYPERELASTIC.");
  const PronyTerms terms = terms_of(job, *found);
  const double g = sum_of(terms.shear), k = sum_of(terms.bulk);
  if (!(g < 1. && k < 1.))
    job.fail(found->line, "*VISCOELASTIC",
             fmt::format("sums of g = {:g} and of k = {:g}: each is < 1. A part of the modulus remains.", g, k));
  material.relaxes = true;
  if (compact(law->option("MODULI")) == "INSTANTANEOUS")
    return;
  material.shear_rise = 1. / (1. - g);
  material.bulk_rise = 1. / (1. - k);
}

void write_law(Job &job, const std::size_t line, const Material &material, const std::string &type)
{
  job.out.add(line, material.path, "Type", material.relaxes ? "viscoelastic" : type);
  if (material.relaxes)
    job.out.add(line, material.path, "Elastic", type);
}
}  // namespace symdyn::abaqus
