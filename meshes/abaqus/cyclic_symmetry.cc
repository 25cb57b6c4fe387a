#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/surface_pairs.h"
#include "meshes/abaqus/translator.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// *CYCLIC SYMMETRY MODEL, *TIE, CYCLIC SYMMETRY and *SELECT CYCLIC SYMMETRY MODES.
namespace symdyn::abaqus
{
namespace
{
constexpr const char *cyclic = "CYCLIC SYMMETRY";

class CyclicSymmetryModel : public Translator
{
public:
  std::vector<KeywordRule> keywords() const override
  {
    return {{"CYCLIC SYMMETRY MODEL", Where::model, Options{"N", "NGRAPH", "TIE"}, 1},
            {"TIE", Where::model},
            {"SELECT CYCLIC SYMMETRY MODES", Where::step, Options{"NMIN", "NMAX"}, 0}};
  }
  void read(Job &job, const Keyword &card, Step *step) override;
  void end_step(Job &job, Step &step) override;
  void write(Job &job) override;

private:
  static constexpr const char *section = "Cyclic symmetry";
  void write_axis(Job &job) const;
  void select(Job &job, const Keyword &card, const Step &step) const;
  long count(const Job &job, const Keyword &card, const char *option, long otherwise, long least, long most) const;

  std::optional<Keyword> model, tie;
  std::vector<std::pair<Step *, std::optional<Keyword>>> frequencies;
  std::optional<Keyword> selected;
};
SYMDYN_REGISTER(Translator, CyclicSymmetryModel, "cyclic symmetry");

void CyclicSymmetryModel::read(Job &job, const Keyword &card, Step *step)
{
  if (step)
  {
    if (step->procedure != "FREQUENCY")
      job.fail(card.line, "*" + card.name, "chooses modes of *FREQUENCY, which is not the procedure of its step. Move it there.");
    if (selected)
      job.fail(card.line, "*" + card.name, "is the second one of the step. Keep one of them.");
    selected = card;
    return;
  }
  if (card.name == "TIE" && !card.has(cyclic))
    return;
  std::optional<Keyword> &one = card.name == "TIE" ? tie : model;
  if (one)
    job.fail(
        card.line, "*" + card.name,
        fmt::format("stands at {} already. One sector has one cut and one axis: delete one of both.", job.model.scanner.place(one->line)));
  one = card;
}

void CyclicSymmetryModel::end_step(Job &, Step &step)
{
  const bool loaded = step.procedure == "STEADY STATE DYNAMICS" && !step.loaded_sectors.empty();
  if ((step.procedure == "COMPLEX FREQUENCY" || loaded) && !frequencies.empty())  // of the modes before it
    frequencies.emplace_back(&step, frequencies.back().second);
  if (step.procedure == "FREQUENCY")
    frequencies.emplace_back(&step, selected);
  selected.reset();
}

long CyclicSymmetryModel::count(const Job &job, const Keyword &card, const char *option, const long otherwise, const long least,
                                const long most) const
{
  if (!card.has(option))
    return otherwise;
  const long value = job.model.number({card.line, {}}, card.option(option), option);
  if (value < least || value > most)
    job.fail(card.line, fmt::format("{}={}", option, value), fmt::format("is {} to {} here.", least, most));
  return value;
}

void CyclicSymmetryModel::write(Job &job)
{
  if (!model && !tie)
  {
    for (const auto &[step, card] : frequencies)
      if (card)
        job.fail(card->line, "*" + card->name, "needs *CYCLIC SYMMETRY MODEL and *TIE, CYCLIC SYMMETRY, which are missing.");
    return;
  }
  if (!model || !tie)
    job.fail((model ? model : tie)->line, "*" + (model ? model : tie)->name,
             model ? "needs *TIE, CYCLIC SYMMETRY with the two surfaces of the cut." : "CYCLIC SYMMETRY needs *CYCLIC SYMMETRY MODEL.");
  if (!model->has("N"))
    job.fail(model->line, "*" + model->name, "needs N, the number of sectors.");
  if (model->has("TIE") && upper(model->option("TIE")) != upper(tie->option("NAME")))
    job.fail(model->line, "TIE=" + model->option("TIE"), "is no *TIE, CYCLIC SYMMETRY of this file.");
  require_options(job.model.scanner, *tie, {"NAME", cyclic, "POSITION TOLERANCE"});
  constexpr long most = 100000;
  const long sectors = count(job, *model, "N", 0, 2, most);
  job.out.add(model->line, section, "Sectors", std::to_string(sectors));
  job.out.add(model->line, section, "Sectors shown", std::to_string(count(job, *model, "NGRAPH", 1, 1, sectors)));
  require_lines(job, *tie);
  const Line &surfaces = job.only_line(*tie, "two surfaces");
  job.out.add(surfaces.number, section, "Low", boundary_of(job, *tie, surfaces, 0));
  job.out.add(surfaces.number, section, "High", boundary_of(job, *tie, surfaces, 1));
  if (tie->has("POSITION TOLERANCE"))
    job.out.add(tie->line, section, "Tolerance", tie->option("POSITION TOLERANCE"));
  write_axis(job);
  for (const auto &[step, card] : frequencies)
    if (!step->loaded_sectors.empty())
      job.out.add(step->card.line, "Stages/" + step->name, "Loaded sectors", fmt::format("{}", fmt::join(step->loaded_sectors, ", ")));
  for (const auto &[step, card] : frequencies)
    if (card)
      select(job, *card, *step);
    else
      job.out.add(step->card.line, "Stages/" + step->name, "Nodal diameters", "0");
}

/// From the first point of the line to the second.
void CyclicSymmetryModel::write_axis(Job &job) const
{
  const Line &line = job.only_line(*model, "two points of the axis");
  std::vector<double> from, along;
  for (std::size_t d = 0; d < 3; ++d)
    from.push_back(job.real(line, d, "a coordinate of the axis"));
  double length = 0;
  for (std::size_t d = 0; d < 3; ++d)
  {
    along.push_back(job.real(line, 3 + d, "a coordinate of the axis") - from[d]);
    length = std::hypot(length, along[d]);
  }
  if (length == 0.)
    job.fail(line.number, join(line.words), "gives one point twice. The axis needs two points.");
  job.out.add(line.number, section, "Axis", written(along));
  from.resize(job.dim);
  job.out.add(line.number, section, "Point", written(from));
}

void CyclicSymmetryModel::select(Job &job, const Keyword &card, const Step &step) const
{
  const long half = count(job, *model, "N", 0, 2, std::numeric_limits<long>::max()) / 2;
  const long first = count(job, card, "NMIN", 0, 0, half), last = count(job, card, "NMAX", half, first, half);
  std::string numbers;
  for (long n = first; n <= last; ++n)
    numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", n);
  job.out.add(card.line, "Stages/" + step.name, "Nodal diameters", numbers);
}
}  // namespace
}  // namespace symdyn::abaqus
