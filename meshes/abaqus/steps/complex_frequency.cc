#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/steps/turning_frame.h"
#include "solver/registry.h"

// *COMPLEX FREQUENCY, and the frame that turns.
namespace symdyn::abaqus
{
namespace
{
constexpr std::size_t label = 1;  // of a line of *DLOAD

bool has_label(const Line &line) { return line.words.size() > label && upper(line.words[label]) == "CENTRIF"; }

bool serves_frames(const Step &step)
{
  static const std::vector<std::string> procedures = {"STATIC", "FREQUENCY", "BUCKLE", "COMPLEX FREQUENCY"};
  return std::count(procedures.begin(), procedures.end(), step.card.name) > 0;
}

/// Every element of the model is a cell and in this set.
bool is_all(const Job &job, const Line &line)
{
  std::vector<bool> in(job.model.mesh.elements.size(), false);
  for (const std::size_t e : job.model.elements_of(line, job.word(line, 0)))
    in[e] = job.is_cell(e);
  return std::all_of(in.begin(), in.end(), [](const bool one) { return one; });
}

/// The vector along the axis is not zero, and across a plane body.
bool has_axis(const Job &job, const Line &line)
{
  constexpr std::size_t first = 6;
  double n[3];
  for (std::size_t d = 0; d < 3; ++d)
    n[d] = job.real_or(line, first + d, 0., "a component of a direction");
  return job.dim == 3 ? n[0] != 0. || n[1] != 0. || n[2] != 0. : n[0] == 0. && n[1] == 0. && n[2] != 0.;
}
}  // namespace

const Line *line_of_frame(const Job &job)
{
  if (!job.nonlinear || !std::all_of(job.steps.begin(), job.steps.end(), serves_frames) || job.steps.front().card.name != "STATIC")
    return nullptr;
  const Line *found = nullptr;
  for (std::size_t i = 0; i < job.steps.size(); ++i)
    for (const Keyword &card : job.steps[i].inside)
    {
      if (card.name != "DLOAD")
        continue;
      if (i > 0 && upper(card.option("OP")) == "NEW")
        return nullptr;
      for (const Line &line : card.data)
        if (has_label(line) && !found && i == 0 && !card.has("AMPLITUDE") && job.real_or(line, 2, 0., "the value") > 0. &&
            has_axis(job, line) && is_all(job, line))
          found = &line;
        else if (has_label(line) && !(found && job.steps[i].card.name == "COMPLEX FREQUENCY" && line.words == found->words))
          return nullptr;
    }
  return found;
}

namespace
{
class ComplexFrequency : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"COMPLEX FREQUENCY", Where::procedure, Options{"CORIOLIS", "FLUTTER", "SOLVER"}, 1, false, ProcedureTraits::about_a_state()}};
  }
  void write_procedure(Job &job, Step &step, const std::string &path) override;
};
SYMDYN_REGISTER(Translator, ComplexFrequency, "complex frequency");

void ComplexFrequency::write_procedure(Job &job, Step &step, const std::string &path)
{
  const Keyword &card = step.card;
  if (!card.has("CORIOLIS"))
    job.fail(
        card.line, card.has("FLUTTER") ? "FLUTTER" : card.name,
        "only CORIOLIS can be computed, of a body that turns. A .prm deck has Type = complex modes for damping and loads that follow.");
  if (!line_of_frame(job))
    job.fail(card.line, "CORIOLIS",
             "needs a body that turns: *DLOAD with CENTRIF on all of it in a first step *STATIC with NLGEOM, and no steps but *STATIC, "
             "*FREQUENCY, *BUCKLE and *COMPLEX FREQUENCY.");
  const Line &line = job.only_line(card, "the number of complex modes");
  const long count = job.model.number(line, job.word(line, 0), "the number of complex modes");
  constexpr long most = 1000;
  if (count < 1 || count > most)
    job.fail(line.number, job.word(line, 0), fmt::format("1 to {} complex modes can be computed.", most));
  step.period = 0;
  job.out.add(card.line, path, "Type", "complex modes");
  job.out.add(line.number, path, "Modes", std::to_string(count));
}
}  // namespace
}  // namespace symdyn::abaqus
