#include <fmt/format.h>

#include <set>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *EXPANSION.
namespace symdyn::abaqus
{
void write_expansion(Job &job, const Keyword &card, const std::string &path)
{
  if (card.data.empty())
    job.fail(card.line, "*EXPANSION", "has no line of data. Give alpha, and the temperature where there are several.");
  const std::size_t count = is_isotropic(card) ? 1 : 3;
  std::vector<std::string> rows;
  for (const Line &line : card.data)
  {
    std::vector<double> row(count + 1, 0.);
    for (std::size_t i = 0; i < count; ++i)
      row[i + 1] = job.real(line, i, "alpha");
    row[0] = card.data.size() > 1 ? job.real(line, count, "the temperature") : job.real_or(line, count, 0., "the temperature");
    std::string text;
    for (std::size_t i = card.data.size() > 1 ? 0 : 1; i < row.size(); ++i)
      text += (text.empty() ? "" : card.data.size() > 1 ? " " : ", ") + written(row[i]);
    rows.push_back(text);
  }
  job.out.add(card.data.front().number, path, card.data.size() > 1 ? "Expansion table" : "Expansion", join(rows));
  job.out.add(card.line, path, "Reference temperature",
              card.has("ZERO") ? written(job.model.real({card.line, {}}, card.option("ZERO"), "ZERO")) : "0");
}

namespace
{
class Expansion : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"EXPANSION", Where::material, Options{"TYPE", "ZERO"}}}; }
  void read_material(Job &job, const Keyword &card, Material &material) override;

private:
  std::set<std::size_t> said;
};
SYMDYN_REGISTER(Translator, Expansion, "expansion");

void Expansion::read_material(Job &job, const Keyword &card, Material &material)
{
  const std::string type = compact(card.option("TYPE"));
  const bool isotropic = is_isotropic(card);
  if (!isotropic && type != "ORTHO" && type != "ORTHOTROPIC")
    job.fail(card.line, "*EXPANSION, TYPE=" + card.option("TYPE"), "the types are ISO and ORTHO.");
  if (!job.heats())
  {
    if (said.insert(card.line).second)
      job.out.warn(card.line, "*EXPANSION", "has no effect: no step of this file changes temperatures");
    return;
  }
  if (!isotropic && !material.section.orientation.empty() && !material.turned)
    job.fail(card.line, "*EXPANSION, TYPE=ORTHO", "along an *ORIENTATION needs *ELASTIC, TYPE=ORTHO before it, which has the axes.");
  write_expansion(job, card, material.path);
}
}  // namespace
}  // namespace symdyn::abaqus
