#include "meshes/abaqus/releases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *RELEASE: moments that ends of beams do not transmit.
namespace symdyn::abaqus
{
namespace
{
struct Release
{
  std::string end;
  std::vector<std::string> what;  ///< as a deck names it
};

Release release_of(const Job &job, const Line &line)
{
  static const std::map<std::string, std::vector<std::string>> codes{
      {"ALLM", {"all"}},
      {"M1", {"moment 1"}},
      {"M2", {"moment 2"}},
      {"T", {"torsion"}},
      {"M1-M2", {"moments"}},
      {"M1-T", {"moment 1", "torsion"}},
      {"M2-T", {"moment 2", "torsion"}},
  };
  const std::string end = upper(job.word(line, 1)), code = upper(job.word(line, 2));
  if (end != "S1" && end != "S2")
    job.fail(line.number, join(line.words), "the end of an element is S1 or S2, its first or last node.");
  const auto found = codes.find(code);
  if (found == codes.end())
    job.fail(line.number, job.word(line, 2), "a release is M1, M2, T, M1-M2, M1-T, M2-T or ALLM.");
  return {end == "S1" ? "from" : "to", found->second};
}

class Releases : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override { return {{"RELEASE", Where::model, Options{}}}; }
  Turn turn() const override { return Turn::materials; }
  void read(Job &job, const Keyword &card, Step *) override
  {
    if (card.data.empty())
      job.out.warn(card.line, "*RELEASE", "has no lines of data, and no effect");
    for (const Line &line : card.data)
    {
      release_of(job, line);
      for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
        if (!is_thin(job.model.types[e]) || job.model.mesh.elements[e].shape != Shape::line)
          job.fail(line.number, job.word(line, 0),
                   fmt::format("element {} is of type {}, and ends of beams are released.", job.model.mesh.elements[e].number,
                               job.model.types[e]));
    }
  }
};
SYMDYN_REGISTER(Translator, Releases, "releases");
}  // namespace

std::vector<std::string> releases_of(const Job &job, const std::vector<std::size_t> &elements)
{
  std::vector<std::string> all;
  for (const Keyword &card : job.before)
    if (card.name == "RELEASE")
      for (const Line &line : card.data)
      {
        const Release release = release_of(job, line);
        for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
          if (std::count(elements.begin(), elements.end(), e) > 0)
            for (const std::string &what : release.what)
              all.push_back(fmt::format("{} {} {}", job.model.mesh.elements[e].number, release.end, what));
      }
  return all;
}
}  // namespace symdyn::abaqus
