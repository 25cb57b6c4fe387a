#pragma once
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace symdyn
{
/// A field at the nodes of the owned cells: cell after cell, node after node, `width` components.
struct NodeField
{
  std::string name;
  unsigned int width;  ///< 1: scalar, 3: vector, 6: symmetric tensor, 9: tensor
  std::vector<double> values;
};

/// What tells a point of a frame from others, on all ranks; points of cells with the same key are one (SharedPoints).
using PointKey = std::array<std::uint64_t, 2>;
constexpr PointKey alone{~std::uint64_t(0), ~std::uint64_t(0)};
inline std::uint64_t bits_of(const double x)
{
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof(x));
  return bits;
}
/// Of words that tell points apart, mixed (Steele, Lea and Flood 2014, SplitMix64).
PointKey key_of(const std::vector<std::uint64_t> &words);

/// A frame for VTK. Nodes stand in the order of the type of their cell. Cells that are added have points of their own.
struct NodeFrame
{
  std::vector<std::uint8_t> types;         ///< of the cells: vtkCellType.h
  std::vector<std::int32_t> ends;          ///< of their nodes
  std::vector<std::int32_t> connectivity;  ///< their points
  bool is_double;                          ///< Float64; else Float32
  double time;                             ///< [s]
  NodeField places;                        ///< width 3 [m]
  std::vector<NodeField> fields;
  std::vector<PointKey> keys;  ///< of points; those without are alone
  std::uint64_t part = 0;      ///< that adds points
  bool thick = true;           ///< beams and shells have their sections; else they are axes and middle surfaces
  bool stressed = false;       ///< they have the field `stress`: xx, yy, zz, xy, yz, zx along their axes [Pa]
  bool axial = false;          ///< some of them have a stress along their axis alone

  void add_cell(const std::uint8_t type, const unsigned int nodes)
  {
    types.push_back(type);
    ends.push_back((ends.empty() ? 0 : ends.back()) + nodes);
    while (std::int32_t(connectivity.size()) < ends.back())
      connectivity.push_back(std::int32_t(connectivity.size()));
  }
  /// The words of the key of the point that was added last; `part` is one of them.
  void name_point(std::vector<std::uint64_t> words)
  {
    words.push_back(part);
    keys.resize(places.values.size() / places.width - 1, alone);
    keys.push_back(key_of(words));
  }
  /// The number of the field of this name. It is 0 at the nodes of the cells so far where nobody gave its values. Every rank asks for
  /// the same.
  std::size_t field(const std::string &name, const unsigned int width)
  {
    std::size_t found = 0;
    while (found < fields.size() && fields[found].name != name)
      ++found;
    if (found == fields.size())
      fields.push_back({name, width, {}});
    fill(fields[found]);
    return found;
  }
  /// Once all cells are there.
  void complete()
  {
    for (NodeField &one : fields)
      fill(one);
  }

private:
  void fill(NodeField &one) const { one.values.resize(std::size_t(one.width) * (ends.empty() ? 0 : ends.back()), 0.); }
};

/// Writes FOLDER/BASE.vtu, or on several ranks a piece a rank and the record BASE.pvtu; returns the name of the file to open. Binary, in
/// single precision compressed. Collective. Errors: ComputationError if it cannot be written.
std::string write_node_frame(const NodeFrame &frame, const std::string &folder, const std::string &base, MPI_Comm communicator);
}  // namespace symdyn
