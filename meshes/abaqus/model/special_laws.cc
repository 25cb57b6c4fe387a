#include <fmt/format.h>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *DEFORMATION PLASTICITY and *HYPERFOAM.
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
}  // namespace symdyn::abaqus
