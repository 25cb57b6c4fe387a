// What is registered in an installed symdyn, with a material of one's own (toy.cc).
#include <cstdio>

#include "materials/material.h"
#include "solver/integrator.h"
#include "solver/registry.h"

using namespace symdyn;

int main()
{
  const Symmetric<Wide> C{Wide(1.5), Wide(1.), Wide(1.), Wide(0.), Wide(0.), Wide(0.)};
  std::printf("psi = %g J/m3, S_11 = %g Pa\n", Registry<Material>::instance().make("toy")->psi(C)[0],
              Registry<Material>::instance().make("toy")->stress(C)[0][0]);
  for (const std::string &name : Registry<Material>::instance().names())
    std::printf("material %s\n", name.c_str());
  for (const std::string &name : Registry<Integrator>::instance().names())
    std::printf("scheme %s\n", name.c_str());
}
