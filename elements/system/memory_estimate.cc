#include "elements/system/memory_estimate.h"

#include <algorithm>
#include <cmath>

#include "solver/base/memory_usage.h"

namespace symdyn
{
namespace
{
constexpr double real = sizeof(double), index = sizeof(int), MiB = 1048576.;

/// Peaks of the program before it has a mesh: libraries, nearly all of it.
constexpr double program = 168. * MiB;
/// State, its copies, forces, and the subspace in which the critical step is looked for: so many numbers a degree of freedom.
constexpr double vectors = 31.;
/// Degrees of freedom up to which the automatic solver is taken to factorise. In 3-D it may up to 20000 in long steps, 0.2 GiB more, and up
/// to 100000 of a linear body, 1.3 GiB more.
constexpr double factored_2d = 300000., factored_3d = 3000.;

/// deal.II's cells and our own copy of their vertices and nodes [bytes a cell]; measured.
double cell_bytes(const MeshForecast &mesh)
{
  double batch = index * mesh.cell.nodes + real * mesh.dim * mesh.cell.vertices;
  if (mesh.curved ||
      mesh.cell.keeps_places)  // of the nodes for the kernels, for the mapping, and of the coarse cells while they are distributed
    batch += mesh.cell.nodes * mesh.dim * (3. * real + index);
  return batch + mesh.cell.bytes;
}

/// Of a block of the matrix, beyond the matrix itself: preconditioner, or what a library copies [bytes].
double preconditioner_bytes(const std::string &solver)
{
  if (solver.find("jacobi") != std::string::npos)
    return 0.;
  if (solver.find("ssor") != std::string::npos)
    return 40.;
  if (solver.find("icc") != std::string::npos)
    return 80.;
  if (solver.find("hypre") != std::string::npos)
    return 215.;
  if (solver == "ml")
    return 550.;
  return solver == "automatic" ? 70. : 115.;  // GAMG; automatic may take it
}

/// Degrees of freedom up to which the automatic solver factorises a body of three dimensions: more where each matrix is solved with often.
double factored(const MeshForecast &mesh, const Workload &work)
{
  return mesh.dim == 2 || work.modes > 0 || work.complex ? factored_2d : factored_3d;
}

/// Vectors of the search for modes (SLEPc: a Krylov space of twice the number, or blocks of preconditioned gradients), the shapes and
/// momenta that are kept; and of FGMRES on pairs, twice two in each of some twenty iterations.
double vectors_of_vibration(const MeshForecast &mesh, const Workload &work)
{
  const double n = work.modes, block = n + std::max(3., n / 4.);
  constexpr double kept = 3., of_search = 6., of_gradients = 11., of_pairs = 80.;
  const bool gradients =
      work.solver != "mumps" && work.solver != "trilinos-direct" && work.solver != "dense" && mesh.dofs() > factored(mesh, work);
  const double search = n == 0. ? 0. : kept * n + of_search + (gradients ? of_gradients * block : std::max(2. * n, n + 15.));
  return search + (work.complex ? of_pairs : 0.);
}

/// Whether the solver makes no matrix of the elements' own degree.
bool is_matrix_free(const MeshForecast &mesh, const Workload &work)
{
  const std::string &solver = work.solver;
  const bool small = mesh.dofs() <= factored(mesh, work);
  return work.symmetric &&
         (solver.find("matrix-free") != std::string::npos || (solver == "automatic" && mesh.degree > 1 && mesh.dim == 3 && !small));
}

double solver_bytes(const MeshForecast &mesh, const Workload &work)
{
  const std::string &solver = work.solver;
  const double n = mesh.dofs();
  if (solver == "dense")
    return 2. * real * n * n;
  if (solver == "mumps" || solver == "trilinos-direct" || (solver == "automatic" && n <= factored(mesh, work)))
    return memory_of_factors(mesh.dim, n);
  const double block = real * mesh.dim * mesh.dim,
               copies = work.symmetric ? 1. : 2.;  // unsymmetric products and diagonals have a matrix of their own
  return mesh.nodes() * mesh.cell.row_length * (preconditioner_bytes(solver) + copies * block + index);
}
}  // namespace

double MeshForecast::cells() const { return coarse_cells * std::pow(2., dim * refinements); }

double MeshForecast::nodes() const { return cell.nodes_of_body(cells()); }

CellForecast mean_forecast(const std::vector<std::pair<double, CellForecast>> &cells)
{
  if (cells.size() == 1)
    return cells.front().second;
  double all = 0;
  for (const auto &kind : cells)
    all += kind.first;
  CellForecast mean;
  for (const auto &[count, cell] : cells)
  {
    const double part = count / all;
    mean.nodes += part * cell.nodes;
    mean.vertices += part * cell.vertices;
    mean.row_length += part * cell.row_length;
    mean.bytes += part * cell.bytes;
    mean.coarse_bytes += part * cell.coarse_bytes;
    mean.keeps_places = mean.keeps_places || cell.keeps_places;
  }
  mean.nodes_of_body = [cells, all](const double count) {
    double nodes = 0;
    for (const auto &[of_kind, cell] : cells)
      nodes += cell.nodes_of_body(count * of_kind / all);
    return nodes;
  };
  return mean;
}

MemoryEstimate estimate_memory(const MeshForecast &mesh, const Workload &work)
{
  MemoryEstimate memory;
  memory.each = program + mesh.coarse_cells * mesh.cell.coarse_bytes;
  memory.shared = mesh.cells() * cell_bytes(mesh) + mesh.dofs() * (vectors + vectors_of_vibration(mesh, work)) * real;
  const double blocks = mesh.nodes() * mesh.cell.row_length;
  const bool matrix_free = work.tangent && is_matrix_free(mesh, work);
  if (work.mass_matrix || (work.tangent && !matrix_free))
    memory.shared += blocks * 2. * index;  // the pattern, twice while a matrix is made of it
  if (work.mass_matrix)
    memory.shared += blocks * real;
  if (!work.tangent)
    return memory;
  if (matrix_free)  // multigrid has the matrix of elements of degree 1 on the same cells
  {
    MeshForecast coarse = mesh;
    coarse.degree = 1;
    coarse.cell = mesh.linear_cell;
    const MemoryEstimate assembled = estimate_memory(coarse, {work.mass_matrix, true, true, "cg + gamg"});
    memory.shared += assembled.shared - coarse.dofs() * vectors * real;
    return memory;
  }
  const double places = std::pow(mesh.cell.nodes, 2) * index * mesh.cells();
  const double rigid_modes = mesh.dim * (mesh.dim + 1.) * mesh.dofs() * real;  // ours and the solver's
  memory.shared += places + rigid_modes + solver_bytes(mesh, work);
  return memory;
}
}  // namespace symdyn
