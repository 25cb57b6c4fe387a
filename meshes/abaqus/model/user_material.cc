#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/registry.h"

// *USER MATERIAL and *DEPVAR: a function of a library, given by --set.
namespace symdyn::abaqus
{
namespace
{
class UserMaterial : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"USER MATERIAL", Where::material, Options{"CONSTANTS", "TYPE", "UNSYMM"}}, {"DEPVAR", Where::material, Options{}}};
  }
  void read_material(Job &job, const Keyword &card, Material &material) override
  {
    if (card.name == "DEPVAR")
      read_states(job, card, material);
    else
      read_constants(job, card, material);
  }

private:
  /// Further lines describe variables, for files of results.
  static void read_states(Job &job, const Keyword &card, const Material &material)
  {
    if (card.data.empty())
      job.fail(card.line, "*DEPVAR", "needs the number of state variables.");
    const double states = job.real(card.data.front(), 0, "the number of state variables");
    if (states < 0. || states != std::floor(states))
      job.fail(card.data.front().number, job.word(card.data.front(), 0), "a number of state variables is 0, 1, 2, ...");
    job.out.add(card.data.front().number, material.path, "State variables", written(states));
  }

  static void read_constants(Job &job, const Keyword &card, Material &material)
  {
    ++material.laws;
    if (material.section.thin || job.plane_stress)
      job.fail(card.line, "*USER MATERIAL", "of beams, shells and in plane stress cannot be computed. Take solids.");
    if (!material.section.orientation.empty())
      job.fail(card.line, "*USER MATERIAL", "along an *ORIENTATION cannot be computed. Turn the constants, and leave the orientation out.");
    const std::string type = upper(card.option("TYPE"));
    if (!type.empty() && type != "MECHANICAL")
      job.fail(card.line, "*USER MATERIAL, TYPE=" + card.option("TYPE"), "only mechanical laws can be computed.");
    std::vector<double> values;
    for (const Line &line : card.data)
      for (std::size_t i = 0; i < line.words.size() && (i + 1 < line.words.size() || !line.words[i].empty()); ++i)
        values.push_back(job.real(line, i, "a constant"));
    const std::string count = card.option("CONSTANTS");
    if (count != std::to_string(values.size()))
      job.fail(card.line, "*USER MATERIAL, CONSTANTS=" + count, fmt::format("has {} numbers. Give their count.", values.size()));
    job.out.add(card.line, material.path, "Type", "umat");
    job.out.add(card.line, material.path, "Kinematics", job.nonlinear ? "deformation-gradient" : "small");
    if (!values.empty())
      job.out.add(card.data.front().number, material.path, "Constants", written(values));
    if (card.has("UNSYMM"))
      job.out.add(card.line, material.path, "Symmetric", "no");
  }
};
SYMDYN_REGISTER(Translator, UserMaterial, "user material");
}  // namespace
}  // namespace symdyn::abaqus
