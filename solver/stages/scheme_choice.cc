#include "solver/stages/scheme_choice.h"

#include "solver/integrator.h"
#include "solver/registry.h"

namespace symdyn
{
void choose_scheme(Parameters section, const Newton *newton, TimeStepping &time)
{
  time.scheme = "newmark";
  const std::vector<std::string> names = Registry<Integrator>::instance().names();
  section.add("Scheme", time.scheme, "time-stepping scheme", names);
  for (const std::string &name : names)
    if (name != time.scheme)
    {
      Parameters other = section.inactive_section(name);
      Registry<Integrator>::instance().make(name)->declare(other);
    }
  time.parameters = std::make_shared<Parameters>(section.section(time.scheme));
  time.integrator = Registry<Integrator>::instance().make(time.scheme);
  time.integrator->declare(*time.parameters);
  time.integrator->newton = newton;
}

void document_schemes(Parameters section)
{
  std::string scheme;
  const std::vector<std::string> names = Registry<Integrator>::instance().names();
  section.add("Scheme", scheme, "time-stepping scheme", names);
  for (const std::string &name : names)
  {
    Parameters p = section.section(name);
    note_entries([&] { Registry<Integrator>::instance().make(name)->declare(p); });
  }
}
}  // namespace symdyn
