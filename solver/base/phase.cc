#include "solver/base/phase.h"

#include <chrono>

namespace symdyn
{
namespace
{
Phase *innermost = nullptr;
std::map<std::string, double> totals;
}  // namespace

double Phase::now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Phase::Phase(const char *name, const bool counts) : name(counts ? name : nullptr), outer(innermost), start(counts ? now() : 0.)
{
  if (counts)
    innermost = this;
}

Phase::~Phase()
{
  if (!name)
    return;
  const double elapsed = now() - start;
  totals[name] += elapsed - inner;
  innermost = outer;
  if (outer)
    outer->inner += elapsed;
}

std::map<std::string, double> Phase::seconds() { return totals; }
}  // namespace symdyn
