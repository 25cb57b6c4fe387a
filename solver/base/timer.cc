#include "solver/base/timer.h"

#include <chrono>

namespace symdyn
{
namespace
{
ScopedTimer *innermost = nullptr;
std::map<std::string, double> totals;
}  // namespace

double ScopedTimer::now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

ScopedTimer::ScopedTimer(const char *name, const bool counts) : name(counts ? name : nullptr), outer(innermost), start(counts ? now() : 0.)
{
  if (counts)
    innermost = this;
}

ScopedTimer::~ScopedTimer()
{
  if (!name)
    return;
  const double elapsed = now() - start;
  totals[name] += elapsed - inner;
  innermost = outer;
  if (outer)
    outer->inner += elapsed;
}

std::map<std::string, double> ScopedTimer::seconds() { return totals; }
}  // namespace symdyn
