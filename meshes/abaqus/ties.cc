#include <algorithm>
#include <string>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/translator.h"
#include "solver/registry.h"

// *TIE.
namespace symdyn::abaqus
{
namespace
{
class ReadTies : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"TIE", Where::model, Options{"NAME", "POSITION TOLERANCE", "ADJUST"}}}; }
  Turn turn() const override { return Turn::axes; }
  void read(Job &job, const Keyword &card, Step *step) override;
};
SYMDYN_REGISTER(Translator, ReadTies, "ties");

/// The boundary that a *SURFACE of element faces has become.
std::string boundary_of(const Job &job, const Line &line, const std::size_t word)
{
  const std::string surface = job.word(line, word);
  for (const auto &faces : job.model.mesh.faces)
    if (upper(faces.first) == upper(surface))
      return faces.first;
  job.fail(line.number, join(line.words),
           surface.empty() ? "needs two surfaces, the dependent one first."
           : job.model.set_of_nodes(surface)
               ? "'" + surface + "' is a surface of nodes. Give *SURFACE its element faces."
               : "there is no *SURFACE of element faces '" + surface + "'. The line of *TIE has two of them, the dependent one first.");
}

void ReadTies::read(Job &job, const Keyword &card, Step *)
{
  if (card.data.empty())
    job.fail(card.line, "*TIE", "has no line with two surfaces, the dependent one first.");
  for (const Line &line : card.data)
  {
    const std::string name = card.has("NAME") ? card.option("NAME") : job.word(line, 0);
    const std::string section = "Ties/" + job.out.fresh("Ties", name);
    job.out.add(line.number, section, "Dependent", boundary_of(job, line, 0));
    job.out.add(line.number, section, "Independent", boundary_of(job, line, 1));
    if (card.has("POSITION TOLERANCE"))
      job.out.add(card.line, section, "Tolerance", card.option("POSITION TOLERANCE"));
    if (card.has("ADJUST") && upper(card.option("ADJUST")) != "YES")
    {
      if (upper(card.option("ADJUST")) != "NO")
        job.fail(card.line, "*TIE, ADJUST=" + card.option("ADJUST"), "is YES or NO.");
      job.out.add(card.line, section, "Adjust", "no");
    }
  }
}
}  // namespace
}  // namespace symdyn::abaqus
