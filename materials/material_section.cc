#include "materials/material_section.h"

#include "solver/base/names.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
void MaterialSection::declare_entries(Parameters &p)
{
  p.add("Type", law_name, "strain energy", Registry<Material>::instance().names());
  p.add("Density", density, "in the undeformed body [kg/m^3]", positive());
  p.add("Thickness", thickness, "out-of-plane thickness [m]; scales stiffness, mass and edge loads, not point forces", positive());
  p.renamed("Cells", "Groups");
  p.add("Groups", groups, "cell groups of the mesh; default: the group with the material's name, or all if there is one material");
  p.add("Stiff", stiff, "treat as stiff in schemes that split stiff and soft forces");
}

void MaterialSection::make_law(Parameters &p)
{
  if (!p.given("Type"))
    p.fail("Type", "a material needs its law, one of: " + join(Registry<Material>::instance().names()));
  law = Registry<Material>::instance().make(law_name);
  law->declare(p);
}
}  // namespace symdyn
