#pragma once
#include <petscvec.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "solver/vector.h"

namespace symdyn
{
/// What PETSc calls while it works. Exceptions must not cross its C code: they wait here.
class PetscCallback
{
public:
  /// function(); an error code of PETSc if it throws.
  template <class Function>
  PetscErrorCode guarded(const Function &function)
  {
    try
    {
      function();
      return 0;
    }
    catch (...)
    {
      thrown = std::current_exception();
      return PETSC_ERR_USER;
    }
  }
  /// What was thrown last, if anything was.
  void rethrow()
  {
    if (thrown)
      std::rethrow_exception(std::exchange(thrown, nullptr));
  }

private:
  std::exception_ptr thrown;
};

/// The owned entries of `to` from those of PETSc's vector, or from its entry `first` on; ghost entries stay.
inline void read(Vec from, Vector &to, const unsigned int first = 0)
{
  const double *values;
  VecGetArrayRead(from, &values);
  std::copy_n(values + first, to.locally_owned_size(), to.begin());
  VecRestoreArrayRead(from, &values);
}

/// The way back.
inline void write(const Vector &from, Vec to, const unsigned int first = 0)
{
  double *values;
  VecGetArray(to, &values);
  std::copy_n(from.begin(), from.locally_owned_size(), values + first);
  VecRestoreArray(to, &values);
}
}  // namespace symdyn
