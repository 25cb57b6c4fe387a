#pragma once
#include <memory>

#include "solver/vector.h"

namespace symdyn
{
class AssembledSystem;

/// Fields between two spaces on the same mesh.
class SiteTransfer
{
public:
  virtual ~SiteTransfer() = default;
  /// coarse = the fine field at the coarse nodes.
  virtual void inject(const Vector &fine, Vector &coarse) const = 0;
  /// fine = P coarse: the coarse field at the fine nodes.
  virtual void prolong(const Vector &coarse, Vector &fine) const = 0;
  /// coarse = Pᵀ fine.
  virtual void restrict(const Vector &fine, Vector &coarse) const = 0;
};

/// The same structure with shape functions of a lower degree.
struct CoarseSites
{
  std::shared_ptr<const void> body;  ///< that the system refers to
  std::unique_ptr<AssembledSystem> system;
  std::unique_ptr<SiteTransfer> transfer;
  ~CoarseSites();
};
}  // namespace symdyn
