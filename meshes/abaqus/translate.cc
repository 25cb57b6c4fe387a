#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/sort_keywords.h"
#include "solver/base/names.h"
#include "solver/registry.h"

// Decks of Abaqus and CalculiX: cards are sorted into steps, then each translator has its turn.
namespace symdyn
{
namespace abaqus
{
namespace
{
/// Lets a translator read a card where it reads such a keyword. Errors: InputError for options that its rule does not have.
void read_card(Job &job, Translator &translator, const Keyword &card, Step *step)
{
  for (const Translators::Reader *reader : job.translators.readers(card.name, step ? Where::step : Where::model))
    if (reader->translator == &translator)
    {
      if (reader->rule.options)
        require_options(job.model.scanner, card, *reader->rule.options);
      translator.read(job, card, step);
    }
}

void take_turn(Job &job, const Turn turn)
{
  const std::vector<Translator *> translators = job.translators.with_turn(turn);
  for (Translator *translator : translators)
    translator->begin(job);
  for (const Keyword &card : job.before)
    for (Translator *translator : translators)
      read_card(job, *translator, card, nullptr);
  for (Step &step : job.steps)
  {
    for (Translator *translator : translators)
      translator->begin_step(job, step);
    for (const Keyword &card : step.inside)
      for (Translator *translator : translators)
        read_card(job, *translator, card, &step);
    for (Translator *translator : translators)
      translator->end_step(job, step);
  }
  for (Translator *translator : translators)
    translator->write(job);
}

void warn_of_remarks(Job &job)
{
  for (const Remark &remark : job.model.remarks)
    job.out.warn(remark.line, remark.what, remark.text);
  if (job.model.cut_elements.empty())
    return;
  const Remark &first = job.model.cut_elements.front();
  job.out.warn(first.line, first.what, fmt::format("{} (so of {} elements)", first.text, job.model.cut_elements.size()));
}

void find_dimension(Job &job)
{
  const auto &elements = job.model.mesh.elements;
  job.thin = job.model.thin;
  job.solid = job.thin ? job.model.has_solids() : !job.model.mesh.elements.empty();
  job.bodiless = !elements.empty() && !job.thin &&
                 std::all_of(elements.begin(), elements.end(), [](const FileElement &element) { return dimension(element.shape) < 2; });
  constexpr int space = 3;
  const std::vector<std::string> &types = job.model.types;
  const bool in_plane = std::all_of(types.begin(), types.end(), [](const std::string &type) { return type == "T2D2"; });
  job.dim = job.thin ? space : !job.bodiless ? mesh_dimension(job.model.mesh) : in_plane ? 2 : space;
}

void find_nodes_of_cells(Job &job)
{
  job.points.in_body.assign(job.model.mesh.nodes.size(), false);
  job.of_thin = job.points.in_body;
  for (std::size_t e = 0; e < job.model.mesh.elements.size(); ++e)
    if (job.is_cell(e))
    {
      const FileElement &element = job.model.mesh.elements[e];
      std::vector<unsigned int> nodes(element.nodes.begin(), element.nodes.begin() + node_count(element.shape));
      nodes.insert(nodes.end(), element.middles.begin(), element.middles.end());
      for (const unsigned int node : nodes)
      {
        job.points.in_body[node] = true;
        job.of_thin[node] = job.of_thin[node] || is_thin(job.model.types[e]);
      }
    }
}

/// How many lines of data a keyword has at most.
std::size_t allowed_lines(const Job &job, const Keyword &card)
{
  std::size_t most = 0;
  for (const Translators::Reader &reader : job.translators.readers(card.name))
    most = std::max(most, reader.rule.lines.value_or(card.data.size()));
  return most;
}

/// Errors: InputError for words and lines of data that no keyword has.
void refuse_unread(const Job &job)
{
  for (const Keyword &card : job.model.all)
  {
    const std::size_t allowed = allowed_lines(job, card);
    for (std::size_t l = 0; l < card.data.size(); ++l)
    {
      const Line &line = card.data[l];
      if (l >= allowed && std::any_of(line.words.begin(), line.words.end(), [](const std::string &w) { return !w.empty(); }))
        job.fail(line.number, join(line.words),
                 fmt::format("*{} has {} here. Remove the line, or give it the keyword that it belongs to.", card.name,
                             allowed == 0 ? "no lines of data" : "one line of data"));
      const std::string more = job.model.unread(line);
      if (!more.empty())
        job.fail(
            line.number, join(line.words),
            fmt::format(
                "{} is unexpected trailing data of *{}. If a number has a decimal comma, write a point; temperatures can stand behind E and nu, and behind alpha.",
                more, card.name));
    }
  }
}

DeckText translate(const Model &model, const Translators &translators)
{
  Job job(model, translators);
  sort_keywords(job);
  for (const Turn turn : all_turns)
  {
    if (turn == Turn::remarks)
      warn_of_remarks(job);
    if (turn == Turn::mesh)
    {
      refuse_misplaced(job);
      find_dimension(job);
      find_nodes_of_cells(job);
    }
    take_turn(job, turn);
  }
  refuse_unread(job);
  return std::move(job.out.text);
}
}  // namespace
}  // namespace abaqus

namespace
{
/// Decks of Abaqus and CalculiX.
class AbaqusDeck : public DeckFormat
{
public:
  DeckText read(const std::string &file) const override
  {
    const abaqus::Translators translators;
    auto model = std::make_unique<abaqus::Model>(file, translators);
    DeckText text = abaqus::translate(*model, translators);
    for (const auto &piece : model->mesh.pieces)
      if (piece.file != file && std::count(text.files.begin(), text.files.end(), piece.file) == 0)
        text.files.push_back(piece.file);
    abaqus::keep_for_its_mesh(std::move(model));
    return text;
  }
};

SYMDYN_REGISTER(DeckFormat, AbaqusDeck, ".inp");
}  // namespace
}  // namespace symdyn
