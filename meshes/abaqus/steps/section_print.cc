#include <fmt/format.h>

#include <algorithm>

#include "meshes/abaqus/job.h"
#include "meshes/abaqus/steps/print_places.h"
#include "meshes/abaqus/steps/print_times.h"
#include "meshes/surface_sides.h"
#include "solver/base/names.h"

// *SECTION PRINT: force and moment of the stress on a surface, and its area.
namespace symdyn::abaqus
{
namespace
{
/// Cards *SURFACE of faces that have this name.
std::vector<const Keyword *> cards_of(const Model &model, const std::string &name)
{
  std::vector<const Keyword *> cards;
  for (const Keyword &card : model.all)
    if (card.name == "SURFACE" && upper(card.option("NAME")) == upper(name) && upper(card.option("TYPE")) != "NODE")
      cards.push_back(&card);
  return cards;
}

/// Number of the face of the reference cell that a file calls S1, S2, ...
unsigned int face_number(const Shape shape, const std::string &label)
{
  std::vector<unsigned int> corners;
  for (const unsigned int i : faces.at(shape).at(std::stoul(label.substr(1)) - 1))
    corners.push_back(lexicographic_place(shape, i));
  const dealii::ReferenceCell cell = reference_cell(shape);
  for (const unsigned int face : cell.face_indices())
  {
    const auto has = [&](const unsigned int corner) { return std::count(corners.begin(), corners.end(), corner) > 0; };
    unsigned int common = 0;
    for (unsigned int v = 0; v < cell.face_reference_cell(face).n_vertices(); ++v)
      common += has(cell.face_to_cell_vertices(face, v, 1));
    if (common == corners.size())
      return face;
  }
  throw std::logic_error("no face of the cell has the corners of " + label);
}

std::vector<std::string> known_surfaces(const Model &model)
{
  std::vector<std::string> names;
  for (const auto &one : model.mesh.faces)
    names.push_back(one.first);
  return names;
}

/// Whether SOF, SOM or SOAREA is asked for; a warning of all else.
bool asks_for_forces(Job &job, const Keyword &card)
{
  static const std::vector<std::string> known{"SOF", "SOM", "SOAREA"};
  bool asks = false;
  for (const Line &line : card.data)
    for (const std::string &w : line.words)
      if (std::count(known.begin(), known.end(), upper(w)) > 0)
        asks = true;
      else if (!w.empty())
        job.out.warn(line.number, "*SECTION PRINT " + w, "this quantity is not written; there are " + join(known));
  if (!asks && card.data.empty())
    job.out.warn(card.line, "*SECTION PRINT", "names no quantity: nothing is written. There are " + join(known));
  return asks;
}

/// What of the card cannot be had; "": all can.
std::string why_not(const Job &job, const std::vector<const Keyword *> &cards, const Step &step)
{
  if (has_forms(step) || step.procedure == "STEADY STATE DYNAMICS")
    return fmt::format("is left out of {}: of *{} there are no tables of surfaces", step.name, step.procedure);
  for (const Keyword *surface : cards)
    for (const Line &line : surface->data)
      for (const std::size_t e : job.model.elements_of(line, job.model.word(line, 0)))
        if (!job.is_solid(e))
          return "is written of surfaces of solids. Print SF of beams and shells by *EL PRINT, or RF of nodes by *NODE PRINT";
  return "";
}
}  // namespace

std::string write_section_print(Job &job, const Keyword &card, const Step &step)
{
  const std::string name = job.model.required(card, "SURFACE");
  const std::vector<const Keyword *> cards = cards_of(job.model, name);
  if (cards.empty())
    job.fail(
        card.line, "*SECTION PRINT, SURFACE=" + name,
        "there is no *SURFACE of element faces of this name; there are: " + join(nearest_first(name, known_surfaces(job.model))) + ".");
  if (const std::string why = why_not(job, cards, step); !why.empty())
  {
    job.out.warn(card.line, "*SECTION PRINT, SURFACE=" + name, why);
    return "";
  }
  if (!asks_for_forces(job, card))
    return "";
  if (upper(card.option("AXES")) == "LOCAL")
    job.out.warn(card.line, "AXES=LOCAL", "forces and moments of the surface are along the coordinates");
  if (upper(card.option("UPDATE")) == "NO")
    job.out.warn(card.line, "UPDATE=NO", "with NLGEOM moments are those of the deformed surface");
  const std::string surface = cards.front()->option("NAME"),
                    path = "Tables/" + job.out.fresh("Tables", fmt::format("{} {}", step.name, surface));
  job.out.add(card.line, path, "Stage", step.name);
  job.out.add(card.line, path, "Surface", surface);
  job.out.add(card.line, path, "Quantities", "SOF, SOM, SOAREA");
  return path;
}

void name_cells_at_faces(Model &model, const Keyword &card)
{
  std::map<std::string, std::vector<std::size_t>> cells;
  for (const Keyword *surface : cards_of(model, card.option("SURFACE")))
    for (const Line &line : surface->data)
      for (const std::size_t e : model.elements_of(line, model.word(line, 0)))
        if (const Shape shape = model.mesh.elements[e].shape; dimension(shape) > 1)
          cells[cells_at_face(surface->option("NAME"), face_number(shape, model.word(line, 1)))].push_back(e);
  for (auto &[name, members] : cells)
    model.mesh.named_cells[name] = std::move(members);
}
}  // namespace symdyn::abaqus
