#pragma once
#include <exception>

#include "solver/error.h"

namespace symdyn
{
/// Keeps the first wrong entry until all entries are declared: otherwise the remaining ones would be unknown.
class FirstFault
{
public:
  /// Whether `declares()` finds nothing wrong.
  template <class Declares>
  bool guard(const Declares &declares)
  {
    try
    {
      declares();
      return true;
    }
    catch (const InputError &)
    {
      first = first ? first : std::current_exception();
      return false;
    }
  }
  /// Throws what was found first, if anything was.
  void rethrow() const
  {
    if (first)
      std::rethrow_exception(first);
  }

private:
  std::exception_ptr first;
};
}  // namespace symdyn
