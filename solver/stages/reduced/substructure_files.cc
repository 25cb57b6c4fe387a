#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/reduced/substructure.h"

// Files of reduced models.
namespace symdyn
{
std::string SubstructureStage::coordinates_csv(const Analysis &analysis, const Substructure &reduced) const
{
  const Units &units = analysis.units;
  std::string text =
      fmt::format("coordinate,kind,X [{0}],Y [{0}],Z [{0}],axis x,axis y,axis z,frequency [{1}]\n", units.length, hertz(units));
  for (const Master &master : request.masters)
  {
    const auto &X = request.nodes[master.node].position;
    text += fmt::format("{},{},{},{},{},{},{},{},0\n", master.label, master.turns ? "rotation" : "displacement", X[0], X[1], X[2],
                        master.axis[0], master.axis[1], master.axis[2]);
  }
  for (std::size_t i = 0; i < reduced.frequencies.size(); ++i)
    text += fmt::format("mode {},mode,0,0,0,0,0,0,{}\n", i + 1, reduced.frequencies[i]);
  return text;
}

std::string SubstructureStage::matrix_csv(const ReducedMatrix &A) const
{
  std::string text = fmt::format("coordinate,{}\n", fmt::join(coordinates, ","));
  for (std::size_t i = 0; i < A.n; ++i)
    text += fmt::format("{},{}\n", coordinates[i], fmt::join(A.values.begin() + A.n * i, A.values.begin() + A.n * (i + 1), ","));
  return text;
}

std::string SubstructureStage::loads_csv(const Analysis &, const Substructure &reduced) const
{
  std::string text = fmt::format("coordinate,{}\n", fmt::join(load_names, ","));
  for (std::size_t i = 0; i < reduced.K.n; ++i)
  {
    text += coordinates[i];
    for (const std::vector<double> &load : reduced.loads)
      text += fmt::format(",{}", load[i]);
    text += "\n";
  }
  return text;
}

std::vector<NamedArray> SubstructureStage::arrays(const Units &units, const Substructure &reduced) const
{
  const std::size_t n = reduced.K.n;
  const auto matrix = [n](const std::string &title, const std::vector<double> &values, const std::size_t columns) {
    return NamedArray{title, {columns > 0 ? values.size() / columns : n, columns}, {values.begin(), values.end()}, false, {}};
  };
  std::vector<NamedArray> all{matrix("K", reduced.K.values, n), matrix("M", reduced.M.values, n)};
  if (reduced.damped)
    all.push_back(matrix("C", reduced.C.values, n));
  std::vector<double> places, axes, turns, nodes, loads;
  for (const Master &master : request.masters)
  {
    const auto &X = request.nodes[master.node].position;
    places.insert(places.end(), X.begin(), X.end());
    axes.insert(axes.end(), master.axis.begin(), master.axis.end());
    turns.push_back(master.turns ? 1. : 0.);
    nodes.push_back(double(master.node + 1));
  }
  all.push_back(matrix("places", places, 3));
  all.push_back(matrix("axes", axes, 3));
  all.push_back(NamedArray::real("turns", turns));
  all.push_back(NamedArray::real("nodes", nodes));
  all.push_back({"coordinates", {}, {}, false, coordinates});
  all.push_back({"units", {}, {}, false, {units.length, units.mass, units.time}});
  if (!reduced.frequencies.empty())
    all.push_back(NamedArray::real("frequencies", reduced.frequencies));
  for (std::size_t i = 0; i < n; ++i)
    for (const std::vector<double> &load : reduced.loads)
      loads.push_back(load[i]);
  if (!load_names.empty())
  {
    all.push_back(matrix("loads", loads, load_names.size()));
    all.push_back({"load_names", {}, {}, false, load_names});
  }
  return all;
}

std::vector<NamedArray> SubstructureStage::inside_arrays(const Analysis &analysis, const Substructure &reduced) const
{
  const DrawnShapes drawn = analysis.structure->drawn(reduced.T);
  if (drawn.points() == 0)
    throw InputError(where + ": Inside: the structure has nothing to draw. Remove the entry");
  std::vector<double> T;
  for (std::size_t i = 0; i < 3 * drawn.points(); ++i)
    for (const std::vector<double> &shape : drawn.shapes)
      T.push_back(shape[i]);
  const auto matrix = [](const std::string &title, const std::vector<double> &values, const std::size_t columns) {
    return NamedArray{title, {values.size() / columns, columns}, {values.begin(), values.end()}, false, {}};
  };
  return {matrix("inside_places", drawn.places, 3), matrix("inside_T", T, drawn.shapes.size()),
          NamedArray::real("inside_types", {drawn.types.begin(), drawn.types.end()}),
          NamedArray::real("inside_ends", {drawn.ends.begin(), drawn.ends.end()}),
          NamedArray::real("inside_cells", {drawn.connectivity.begin(), drawn.connectivity.end()})};
}

void SubstructureStage::write(Analysis &analysis, const Substructure &reduced) const
{
  const std::string stem = Results::stem("substructure", name);
  std::vector<std::string> files;
  const auto put_file = [&](const std::string &file, const std::string &content) {
    files.push_back(file);
    analysis.recorder.file(file, content);
  };
  const auto put = [&](const std::string &ending, const std::string &content) { put_file(stem + ending, content); };
  const auto wanted = [&](const char *format) { return std::count(formats.begin(), formats.end(), format) > 0; };
  put("-coordinates.csv", coordinates_csv(analysis, reduced));
  if (wanted("npz"))
  {
    std::vector<NamedArray> all = arrays(analysis.units, reduced);
    if (inside)
      for (NamedArray &array : inside_arrays(analysis, reduced))
        all.push_back(std::move(array));
    put(".npz", npz(all));
  }
  if (wanted("mat"))
    put(".mat", mat(arrays(analysis.units, reduced)));
  if (wanted("dmig"))
    put(".dmig", dmig(reduced));
  if (wanted("mtx"))
    put_file((file_name.empty() ? stem : file_name) + ".mtx", mtx(reduced));
  if (wanted("csv"))
  {
    put("-K.csv", matrix_csv(reduced.K));
    put("-M.csv", matrix_csv(reduced.M));
    if (reduced.damped)
      put("-C.csv", matrix_csv(reduced.C));
    if (!load_names.empty())
      put("-loads.csv", loads_csv(analysis, reduced));
  }
  log_line(fmt::format("stage {}: reduced model in {}/{}", name, analysis.recorder.folder(), join(files)));
}
}  // namespace symdyn
