#include "elements/amplitude.h"

#include <algorithm>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
void Amplitude::declare(Parameters &p)
{
  std::string file;
  p.add("Amplitude", formula, "factor of time t [-]");
  p.add("Amplitude file", file, "file of lines `t value` [s, -], relative to the deck; instead of Amplitude");
  for (const char *variable : {"x", "y", "z"})
    if (formula.uses(variable))
      p.fail("Amplitude", "an amplitude depends on t alone; put x, y, z into the field itself");
  if (file.empty())
    return;
  if (p.given("Amplitude"))
    p.fail("Amplitude file", "there is an Amplitude too; give one of the two");
  table_name = file;
  try
  {
    table = std::make_shared<Table>(Table::read(p.file_path(file)));
  }
  catch (const InputError &error)
  {
    p.fail("Amplitude file", error.what());
  }
}

double Amplitude::operator()(const double t) const { return in_time(table ? std::max(earliest, std::min(latest, t)) : t).x; }

void Amplitude::see(const double from, const double to)
{
  earliest = from;
  latest = to;
}

Jet<double> Amplitude::in_time(const double t) const
{
  if (!table)
    return formula.in_time(nullptr, 0, t);
  return {(*table)(t), table->slope(t), 0.};
}
}  // namespace symdyn
