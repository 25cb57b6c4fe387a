#include <algorithm>

#include "meshes/abaqus/deck.h"

// *NODE FILE, *EL FILE and their like: whether frames are written. All fields are, where one is asked for.
namespace symdyn::abaqus
{
namespace
{
/// Whether a step asks for files of fields. In Abaqus *NODE OUTPUT belongs to the *OUTPUT before it, which may be of histories.
bool asks_for_files(const Step &step)
{
  bool history = false;
  for (const Keyword &card : step.inside)
  {
    if (card.name == "OUTPUT")
      history = card.has("HISTORY");
    const bool of_fields = card.name == "NODE FILE" || card.name == "EL FILE" || (card.name == "OUTPUT" && card.has("FIELD")) ||
                           ((card.name == "NODE OUTPUT" || card.name == "ELEMENT OUTPUT") && !history);
    if (of_fields && card.option("FREQUENCY") != "0")
      return true;
  }
  return false;
}
}  // namespace

void DeckWriter::write_files()
{
  if (std::none_of(steps.begin(), steps.end(), asks_for_files))
    add(steps.front().line, "Output", "Write every", "never");
}
}  // namespace symdyn::abaqus
