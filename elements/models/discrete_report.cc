#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include "elements/models/discrete.h"
#include "solver/archive.h"
#include "solver/base/together.h"
#include "solver/error.h"

// Frames and printed tables of discrete structures.
namespace symdyn
{
namespace
{
const char *const name_of_point_tables = "tables";
}

void Discrete::write(const State &state, const std::string &file) const
{
  const PointMotion motion = points->motion(state);
  std::string fault;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    try
    {
      write_points(model.parts, motion, file);
    }
    catch (const ComputationError &error)
    {
      fault = error.what();
    }
  throw_collectively<ComputationError>(fault);
}

std::vector<std::string> Discrete::write_frame(const State &state, const std::string &folder, const unsigned int number) const
{
  const std::string stem = fmt::format("solution-{:05d}", number);
  write(state, folder + "/" + stem + ".vtu");
  std::vector<std::string> files{stem + ".vtu"};
  structure_parts.write(state, folder, stem, files);
  return files;
}

std::string Discrete::print(const State &state, const OutputTime &moment)
{
  if (!tables.are_due(state.n, moment))
    return "";
  return tables.print(model.parts, {points->gather(state.q), points->gather(state.v), points->term_force(state.q)}, state.t, moment);
}

std::string Discrete::print(const State &about, const PrintedField &field, const OutputTime &moment)
{
  return tables.print(model.parts, {points->gather(field.field), {}, points->stiffness(about.q, field.field)}, field, moment);
}

void Discrete::save(Archive &archive) const
{
  if (tables.wanted())
    archive.put(name_of_point_tables, tables.saved());
}

void Discrete::load(const Archive &archive)
{
  if (archive.has(name_of_point_tables))
    tables.load(archive.get<std::vector<double>>(name_of_point_tables));
}

std::vector<std::string> Discrete::write_shape(const Vector &shape, const std::string &folder, const std::string &stem) const
{
  State state;
  state.q = shape;
  state.v = state.a = assembled->new_vector();
  write(state, folder + "/" + stem + ".vtu");
  std::vector<std::string> files{stem + ".vtu"};
  structure_parts.write(state, folder, stem, files);
  return files;
}
}  // namespace symdyn
