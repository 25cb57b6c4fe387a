#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "elements/contact/face_memory.h"
#include "elements/contact/touching.h"

namespace symdyn
{
/// Law = hard in static stages, by augmented Lagrangians (Uzawa; Simo, Laursen 1992): each face of the surface named first has a
/// multiplier lambda = k s [Pa], kept as s [m] in its memory, and the law is asked at g - s, so that the pressure is <lambda - k g>. Once
/// an equilibrium is found,
///     s <- <s - mean of g over the closed points of the face>,   closed: g < s,
/// and the increment is repeated, until that mean is within 1e-3 of a cell. Faces whose points are all open have s = 0. Without multipliers
/// s = 0 everywhere, and there is no memory.
class MultiplierTerm : public TouchingTerm
{
public:
  std::size_t history_size() const override { return hard ? memory.size() : 0; }
  void begin_history(double *history) const override;
  HistoryBlocks history_blocks() const override { return memory.blocks(); }
  void pack_history(const double *history, std::vector<double> &blocks) const override { memory.pack(history, blocks); }
  void unpack_history(const std::vector<double> &blocks, double *history) const override { memory.unpack(blocks, history); }
  void remember(const At &at) const override;
  bool repeats(const At &at, int times) const override;
  void renew(const At &at) const override;

protected:
  /// `within`: what the mean gap may be [m]. Collective.
  void have_multipliers(std::vector<FaceMemory::Face> faces, double within, const std::string &contact, MPI_Comm communicator);
  bool has_multipliers() const { return hard; }
  /// s of a face [m].
  double shift(const double *history, const std::size_t face) const { return hard && history ? history[face] : 0.; }
  using VisitGap = std::function<void(std::size_t face, double dA, double g)>;
  /// Of all points of the faces that this rank keeps.
  virtual void each_gap(const Vector &q, const VisitGap &visit) const = 0;

private:
  /// Mean gaps of the closed points of each face, with this history; no number: none is closed.
  std::vector<double> mean_gaps(const Vector &q, const double *history) const;

  bool hard = false;
  FaceMemory memory;
  std::size_t faces = 0;
  double most = 0;
  std::string name;
  MPI_Comm ranks = MPI_COMM_SELF;
};
}  // namespace symdyn
