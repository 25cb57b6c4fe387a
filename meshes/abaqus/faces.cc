#include "meshes/abaqus/model.h"
#include "solver/base/names.h"

// Faces of elements: those of surfaces, and those on which a *DLOAD acts.
namespace symdyn::abaqus
{
std::string Model::pressed_face(const std::string &word)
{
  const std::string label = upper(word);
  const bool face = label.size() > 1 && label[0] == 'P' && label[1] >= '1' && label[1] <= '6';
  return face && (label.size() == 2 || label.substr(2) == "NP") ? label.substr(0, 2) : "";
}

void Model::pressures(const Keyword &keyword)
{
  for (const Line &line : keyword.data)
  {
    const std::string label = line.words.size() > 1 ? pressed_face(line.words[1]) : "";
    if (label.empty())
      continue;  // the deck reader knows what else there is
    const std::string name = pressed(line.words[0], label);
    Line face = line;
    face.words = {line.words[0], "S" + label.substr(1)};
    if (named_by_loads.insert(name).second)
      for (const std::size_t e : elements_of(line, line.words[0]))
        add_face(name, face, mesh.elements[e]);
  }
}

void Model::add_face(const std::string &name, const Line &line, const FileElement &element)
{
  const auto local = faces.find(element.shape);
  const std::string label = upper(word(line, 1));
  long face = 0;
  const bool valid = local != faces.end() && label.size() == 2 && label[0] == 'S' && parse_integer(label.substr(1), face) && face >= 1 &&
                     face <= long(local->second.size());
  if (!valid)
    scanner.fail_at(line.number, join(line.words),
                    "a line of a surface has an element or a set and one of its faces, S1 to S" +
                        std::to_string(local == faces.end() ? 6 : local->second.size()) + ".");
  FileFace found{{}, line.number};
  for (const unsigned int i : local->second[face - 1])
    found.nodes.push_back(element.nodes[lexicographic_place(element.shape, i)]);
  mesh.faces[name].push_back(found);
}
}  // namespace symdyn::abaqus
