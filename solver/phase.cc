#include "solver/phase.h"

#include <chrono>

namespace symdyn
{
namespace
{
Phase *innermost = nullptr;
std::map<std::string, double> totals;
}  // namespace

double Phase::now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Phase::Phase(const char *name) : name(name), outer(innermost), start(now()) { innermost = this; }

Phase::~Phase()
{
  const double elapsed = now() - start;
  totals[name] += elapsed - inner;
  innermost = outer;
  if (outer)
    outer->inner += elapsed;
}

std::map<std::string, double> Phase::seconds() { return totals; }
}  // namespace symdyn
