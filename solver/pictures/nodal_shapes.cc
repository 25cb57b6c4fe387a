// VTK before the rest: it has macros of its own.
#include <vtkCell.h>
#include <vtkDataArray.h>
#include <vtkGenericCell.h>
#include <vtkPointData.h>
#include <vtkStaticCellLocator.h>
#include <vtkStaticPointLocator.h>
#include <vtkUnstructuredGrid.h>

#include "solver/pictures/nodal_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "solver/base/csv.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/pictures/render_frames.h"
#include "solver/pictures/results_state.h"
#include "solver/pictures/whole_frame.h"

namespace symdyn
{
namespace
{
/// modes-NAME.pvd
std::string collection_of(const std::string &results)
{
  namespace fs = std::filesystem;
  if (!fs::is_directory(results))
    return results;
  std::vector<std::string> found;
  for (const auto &entry : fs::directory_iterator(results))
    if (const std::string name = entry.path().filename().string(); name.rfind("modes-", 0) == 0 && entry.path().extension() == ".pvd")
      found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  if (found.empty())
    throw InputError(results + ": there are no modes (modes-NAME.pvd). Run a deck with a stage of Type = modes, whose Output has frames");
  if (found.size() > 1)
    throw InputError(fmt::format("{}: there are several stages of modes. Name one of {}", results, join(found)));
  return found.front();
}

/// A kind of cell in universal files: its nodes are corners (i, i) and middles of edges (i, j).
struct CellKind
{
  int dimension, edges, linear, parabolic;
  std::size_t corners;
  std::vector<std::pair<int, int>> nodes;
};
const std::vector<CellKind> kinds{
    {1, 0, 21, 24, 2, {{0, 0}, {0, 1}, {1, 1}}},
    {2, 3, 91, 92, 3, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 0}}},
    {2, 4, 94, 95, 4, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 0}}},
    {3, 6, 111, 118, 4, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}, {3, 3}}},
    {3,
     9,
     112,
     113,
     6,
     {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 0}, {0, 3}, {1, 4}, {2, 5}, {3, 3}, {3, 4}, {4, 4}, {4, 5}, {5, 5}, {5, 3}}},
    {3, 12, 115, 116, 8, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 0}, {0, 4}, {1, 5},
                          {2, 6}, {3, 7}, {4, 4}, {4, 5}, {5, 5}, {5, 6}, {6, 6}, {6, 7}, {7, 7}, {7, 4}}},
};

/// The third point of each edge, by its ends.
std::map<std::pair<vtkIdType, vtkIdType>, vtkIdType> middles_of(vtkCell &cell)
{
  std::map<std::pair<vtkIdType, vtkIdType>, vtkIdType> middles;
  const auto add = [&](vtkCell &edge) {
    if (edge.GetNumberOfPoints() == 3)
      middles[std::minmax(edge.GetPointId(0), edge.GetPointId(1))] = edge.GetPointId(2);
  };
  for (int e = 0; e < cell.GetNumberOfEdges(); ++e)
    add(*cell.GetEdge(e));
  if (cell.GetCellDimension() == 1)
    add(cell);
  return middles;
}

/// An element without nodes where universal files have none of the kind.
UniversalFile::Element element_of(vtkCell &cell, const std::vector<int> &number)
{
  UniversalFile::Element element;
  for (const CellKind &kind : kinds)
    if (kind.dimension == cell.GetCellDimension() && (kind.dimension == 1 || kind.edges == cell.GetNumberOfEdges()))
    {
      const auto middles = middles_of(cell);
      const bool parabolic = !middles.empty();
      element.descriptor = parabolic ? kind.parabolic : kind.linear;
      for (const auto &[i, j] : kind.nodes)
        if (i == j)
          element.nodes.push_back(number[cell.GetPointId(i)]);
        else if (parabolic)
          element.nodes.push_back(number[middles.at(std::minmax(cell.GetPointId(i), cell.GetPointId(j)))]);
    }
  return element;
}

/// Points of the frame that are one node: cells have points of their own.
std::vector<int> number_points(vtkUnstructuredGrid &grid, std::vector<std::array<double, 3>> &nodes)
{
  std::map<std::array<double, 3>, int> known;
  std::vector<int> number;
  for (vtkIdType k = 0; k < grid.GetNumberOfPoints(); ++k)
  {
    std::array<double, 3> X{};
    grid.GetPoint(k, X.data());
    const auto [place, is_new] = known.emplace(X, int(nodes.size()) + 1);
    if (is_new)
      nodes.push_back(X);
    number.push_back(place->second);
  }
  return number;
}

void read_frequencies(const std::string &collection, NodalShapes &all)
{
  const std::string file = std::filesystem::path(collection).replace_extension(".csv").string();
  const CsvTable table = CsvTable::read(file);
  const std::size_t frequency = table.column("frequency"), ratio = table.column("damping ratio");
  if (table.rows() < all.modes.size())
    throw InputError(fmt::format("{}: has {} modes, and {} has {}", file, table.rows(), collection, all.modes.size()));
  all.unit_of_frequency = table.units[frequency];
  for (std::size_t i = 0; i < all.modes.size(); ++i)
  {
    all.modes[i].frequency = table.values[frequency][i];
    all.modes[i].ratio = table.values[ratio][i];
  }
}
}  // namespace

NodalShapes NodalShapes::read(const std::string &results)
{
  const std::string collection = collection_of(results);
  NodalShapes all;
  for (const FrameFiles &frame : read_collection(collection))
  {
    const auto grid = whole_frame(frame);
    vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
    if (!u)
      throw InputError(fmt::format("{}: mode {} has no displacement", collection, all.modes.size() + 1));
    if (all.modes.empty())
    {
      all.grid = grid;
      all.number = number_points(*grid, all.nodes);
      for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
        if (const UniversalFile::Element element = element_of(*grid->GetCell(c), all.number); !element.nodes.empty())
          all.elements[int(all.elements.size()) + 1] = element;
        else if (grid->GetCell(c)->GetCellDimension() > 0)
          ++all.left_out;
    }
    if (std::size_t(grid->GetNumberOfPoints()) != all.number.size())
      throw InputError(fmt::format("{}: its frames have different numbers of points", collection));
    all.modes.push_back({fmt::format("{}", all.modes.size() + 1), 0., 0.});
    std::vector<std::array<double, 3>> &shape = all.shapes.emplace_back(all.nodes.size());
    for (std::size_t k = 0; k < all.number.size(); ++k)
      for (int d = 0; d < u->GetNumberOfComponents() && d < 3; ++d)
        shape[all.number[k] - 1][d] = u->GetComponent(vtkIdType(k), d);
  }
  read_frequencies(collection, all);
  const std::string folder = std::filesystem::path(collection).parent_path().string();
  const nlohmann::json summary = json_of((folder.empty() ? "." : folder) + "/summary.json");
  if (summary.is_object() && summary.contains("units"))
    all.unit_of_length = summary["units"].value("length", "");
  return all;
}

double NodalShapes::diagonal() const
{
  double square = 0;
  for (int d = 0; d < 3; ++d)
  {
    const auto [least, largest] =
        std::minmax_element(nodes.begin(), nodes.end(), [d](const auto &X, const auto &Y) { return X[d] < Y[d]; });
    square += std::pow((*largest)[d] - (*least)[d], 2);
  }
  return std::sqrt(square);
}

std::vector<NodalShapes::Shares> NodalShapes::at(const std::vector<std::array<double, 3>> &places, const double tolerance,
                                                 const std::string &what) const
{
  constexpr double usual = 0.01, rounding = 1e-6;  // of the diagonal
  const double whole = diagonal(), most = tolerance > 0. ? tolerance : usual * whole;
  const auto cells = vtkSmartPointer<vtkStaticCellLocator>::New();
  cells->SetDataSet(grid);
  cells->BuildLocator();
  const auto points = vtkSmartPointer<vtkStaticPointLocator>::New();
  points->SetDataSet(grid);
  points->BuildLocator();
  const auto cell = vtkSmartPointer<vtkGenericCell>::New();
  std::vector<double> weights(std::max(grid->GetMaxCellSize(), 1));
  std::vector<Shares> found;
  for (std::array<double, 3> X : places)
  {
    Shares &shares = found.emplace_back();
    double inside[3];
    if (const vtkIdType c = cells->FindCell(X.data(), std::pow(rounding * whole, 2), cell, inside, weights.data()); c >= 0)
    {
      for (vtkIdType i = 0; i < cell->GetNumberOfPoints(); ++i)
        shares.emplace_back(number[cell->GetPointId(i)] - 1, weights[i]);
      continue;
    }
    const int node = number[points->FindClosestPoint(X.data())] - 1;
    const auto &Y = nodes[node];
    const double distance = std::hypot(X[0] - Y[0], X[1] - Y[1], X[2] - Y[2]);
    if (!(distance <= most))
      throw InputError(
          fmt::format("{} at ({:g}, {:g}, {:g}) is outside, {:.3g} from the nearest node, ({:g}, {:g}, {:g}); the tolerance is "
                      "{:.3g}. Mend its place, or give --tolerance or --factor",
                      what, X[0], X[1], X[2], distance, Y[0], Y[1], Y[2], most));
    shares.emplace_back(node, 1.);
  }
  return found;
}
}  // namespace symdyn
