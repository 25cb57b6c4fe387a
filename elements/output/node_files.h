#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace symdyn
{
/// A field at the nodes of the owned cells: values[((cell * nodes) + node) * width + component].
struct NodeField
{
  std::string name;
  unsigned int width;  ///< 1: scalar, 3: vector, 9: tensor
  std::vector<double> values;
};

/// A frame for VTK, cell by cell: cells share no points, so that stresses may jump. All cells are of one type; their nodes stand in its
/// order.
struct NodeFrame
{
  std::uint8_t cell_type;  ///< vtkCellType.h
  unsigned int nodes;      ///< of a cell
  bool is_double;          ///< Float64; else Float32
  double time;             ///< [s]
  NodeField places;        ///< width 3 [m]
  std::vector<NodeField> fields;
};

/// Writes FOLDER/BASE.vtu, or on several ranks a piece a rank and the record BASE.pvtu; returns the name of the file to open. Binary, not
/// compressed. Collective. Errors: ComputationError if it cannot be written.
std::string write_node_frame(const NodeFrame &frame, const std::string &folder, const std::string &base, MPI_Comm communicator);
}  // namespace symdyn
