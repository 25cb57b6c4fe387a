#pragma once
#include <map>
#include <string>
#include <vector>

// Who may include what: the table that tests/house/rules.cc checks.
namespace symdyn::tests::in_rules
{
using Names = std::vector<std::string>;

/// A library behind one door: its headers, and the files that may include them.
struct Library
{
  std::string name;
  Names headers, may_include;
};
inline const std::vector<Library> libraries{
    {"PETSc, SLEPc", {"petsc", "slepc", "deal.II/lac/petsc", "deal.II/lac/slepc", "solver/linear/petsc.h"}, {"solver/linear/"}},
    {"Trilinos",
     {"deal.II/lac/trilinos", "deal.II/optimization/rol", "Epetra", "Teuchos", "Amesos", "AztecOO", "Ifpack", "ml_", "MueLu", "Kokkos",
      "Tpetra", "Zoltan", "ROL"},
     {"solver/linear/"}},
    {"SUNDIALS",
     {"deal.II/sundials/", "sundials/", "arkode/", "cvode/", "ida/", "idas/", "kinsol/", "nvector/", "sunmatrix/", "sunlinsol/",
      "sunnonlinsol/"},
     {"solver/linear/ode_"}},
    {"VTK", {"vtk", "deal.II/vtk"}, {"solver/pictures/"}},
    {"Sacado", {"Sacado", "deal.II/differentiation/ad"}, {"materials/"}},
    {"CLI11", {"CLI/"}, {"solver/program/command_line.cc", "solver/pictures/render_main.cc"}},
    {"nlohmann-json", {"nlohmann/"}, {"solver/"}},
    {"Boost.CRC", {"boost/crc.hpp"}, {"solver/base/checksum.cc"}},
    {"AMD", {"amd.h"}, {"solver/linear/"}},
    {"MUMPS", {"dmumps_c.h"}, {"solver/linear/"}},
    {"METIS", {"metis.h"}, {"solver/linear/"}},
    {"zlib", {"zlib.h"}, {"elements/files/"}},
};

/// What the files of a folder may include of this project: headers that lie in these folders themselves ("solver": its contracts), or
/// single ones. The longest folder counts.
inline const Names up_to_formula{"solver", "solver/base", "solver/deck", "solver/deck/formula"};

inline Names joined(Names all, const Names &more)
{
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

inline std::map<std::string, Names> make_table()
{
  const Names vibrating = joined(up_to_formula, {"solver/linear", "solver/dynamics", "solver/vibration"});
  const Names staged = joined(vibrating, {"solver/results", "solver/stages", "solver/testdata"});
  const Names running = joined(staged, {"solver/run"});
  const Names numerics{"solver", "solver/base", "solver/linear"};
  const Names declarations{"solver/parameters.h", "solver/registry.h", "solver/error.h", "solver/oscillation.h", "solver/base/names.h"};
  const Names of_meshes = joined(declarations, {"meshes", "solver/base/text_file.h"});
  const Names of_translators = joined(of_meshes, {"meshes/abaqus", "solver/deck/deck_format.h"});
  const Names of_schemes = joined(declarations, {"integrators/equations",
                                                 "solver/mechanical_system.h",
                                                 "solver/history.h",
                                                 "solver/force_report.h",
                                                 "solver/unknowns.h",
                                                 "solver/integrator.h",
                                                 "solver/newton.h",
                                                 "solver/minimise.h",
                                                 "solver/ode.h",
                                                 "solver/linear_solve.h",
                                                 "solver/constraints.h",
                                                 "solver/random.h",
                                                 "solver/base/pool.h",
                                                 "solver/kicking.h",
                                                 "solver/fourth_derivative.h",
                                                 "solver/searching.h",
                                                 "solver/carried_stresses.h",
                                                 "solver/dynamics/critical_step.h",
                                                 "solver/dynamics/kept_multipliers.h",
                                                 "solver/dynamics/multipliers.h",
                                                 "solver/dynamics/nodal_projection.h",
                                                 "solver/nodal_constraints.h",
                                                 "solver/dynamics/rotations.h",
                                                 "solver/dynamics/slow_manifold.h"});
  const Names algebra{"materials", "materials/algebra"};
  const Names cells = joined(joined(up_to_formula, algebra), {"elements", "elements/cells", "elements/cells/formulations"});
  const Names space = joined(cells, {"elements/space", "meshes", "meshes/grid"});
  const Names lumped =
      joined(space, {"materials/section", "solver/linear", "solver/dynamics", "elements/supports", "elements/loads", "elements/lumped"});
  const Names solids = joined(space, {"materials/section", "elements/supports", "elements/loads", "elements/solids"});
  const Names system = joined(joined(joined(lumped, vibrating), {"materials/section", "elements/solids"}),
                              {"elements/rotors", "elements/system", "elements/system/frames"});
  const Names output = joined(system, {"elements/files", "elements/output", "elements/output/calculix"});
  return {
      {"solver", {"solver", "solver/base"}},
      {"solver/base", {"solver", "solver/base"}},
      {"solver/deck", up_to_formula},
      {"solver/deck/formula", joined(up_to_formula, {"materials/algebra"})},
      {"solver/linear", numerics},
      {"solver/dynamics", joined(numerics, {"solver/dynamics"})},
      {"solver/vibration", joined(numerics, {"solver/vibration"})},
      {"solver/vibration/rotors", joined(numerics, {"solver/vibration", "solver/vibration/rotors"})},
      {"solver/vibration/substructures", joined(numerics, {"solver/vibration", "solver/vibration/substructures"})},
      {"solver/results", joined(joined(up_to_formula, numerics), {"solver/dynamics", "solver/results"})},
      {"solver/stages", joined(staged, {"solver/stages/measured"})},
      {"solver/stages/measured", joined(staged, {"solver/stages/measured"})},
      {"solver/stages/periodic", joined(staged, {"solver/vibration/substructures", "solver/stages/periodic"})},
      {"solver/stages/reduced", joined(staged, {"solver/vibration/substructures", "solver/stages/reduced"})},
      {"solver/stages/rotors", joined(staged, {"solver/vibration/rotors", "solver/stages/rotors"})},
      {"solver/stages/spectra", joined(staged, {"solver/stages/spectra"})},
      {"solver/run", running},
      {"solver/verify", joined(running, {"solver/verify"})},
      {"solver/program",
       joined(running, {"solver/verify", "solver/program", "materials", "materials/section", "materials/point", "meshes/mesh.h"})},
      {"solver/testdata", {"solver", "solver/base", "solver/testdata"}},
      {"solver/frontends", {"solver", "solver/base", "solver/frontends", "solver/pictures/sweep_processes.h"}},
      {"solver/pictures", {"solver", "solver/base", "solver/pictures", "solver/pictures/images", "solver/testdata", "solver/frontends"}},
      {"solver/pictures/images", {"solver", "solver/base", "solver/pictures/images"}},
      {"materials", joined(algebra, declarations)},
      {"materials/algebra", {"materials/algebra"}},
      {"materials/hyperelastic",
       joined(joined(algebra, declarations), {"materials/hyperelastic", "solver/deck/formula", "solver/base/unit_value.h"})},
      {"materials/inelastic",
       joined(joined(algebra, declarations), {"materials/inelastic", "solver/base/text_file.h", "solver/base/log.h"})},
      {"materials/section",
       joined(joined(algebra, declarations), {"materials/section", "materials/point", "materials/hyperelastic/material_axes.h",
                                              "solver/base/text_file.h", "solver/base/number.h"})},
      {"materials/point", joined(joined(algebra, declarations), {"materials/point"})},
      {"integrators", joined(of_schemes, {"integrators"})},
      {"integrators/equations", of_schemes},
      {"meshes", of_meshes},
      {"meshes/grid", joined(of_meshes, {"meshes/grid"})},
      {"meshes/shapes", joined(of_meshes, {"meshes/shapes"})},
      {"meshes/surfaces", joined(of_meshes, {"solver/base/number.h", "solver/base/number_rows.h"})},
      {"meshes/files", joined(of_meshes, {"meshes/files", "solver/base/number.h", "solver/base/sha256.h", "solver/base/together.h"})},
      {"meshes/abaqus", of_translators},
      {"meshes/abaqus/model", of_translators},
      {"meshes/abaqus/steps", joined(of_translators, {"meshes/abaqus/steps"})},
      {"elements", joined(up_to_formula, {"elements", "elements/space"})},
      {"elements/cells", cells},
      {"elements/cells/formulations", cells},
      {"elements/space", space},
      {"elements/supports", joined(space, {"elements/supports"})},
      {"elements/loads", joined(space, {"elements/loads"})},
      {"elements/lumped", lumped},
      {"elements/files", joined(up_to_formula, {"elements/files"})},
      {"elements/gram", joined(space, {"materials/section", "elements/gram"})},
      {"elements/shells/loads", joined(space, {"elements/gram", "elements/shells"})},
      {"elements/beams", joined(space, {"materials/section", "elements/files", "elements/gram", "elements/beams"})},
      {"elements/shells", joined(space, {"materials/section", "elements/files", "elements/gram", "elements/shells"})},
      {"elements/couplings", joined(space, {"elements/files", "elements/gram", "elements/couplings"})},
      {"elements/rotors", joined(space, {"elements/gram", "elements/loads", "elements/rotors"})},
      {"elements/superelements", joined(space, {"elements/files", "elements/gram", "elements/superelements", "solver/testdata"})},
      {"elements/surfaces", joined(space, {"elements/surfaces"})},
      {"elements/ties", joined(space, {"elements/surfaces", "elements/ties"})},
      {"elements/contact", joined(space, {"elements/files", "elements/gram", "elements/surfaces", "elements/ties/tie_method.h",
                                          "elements/contact", "elements/contact/laws", "elements/contact/obstacles",
                                          "elements/contact/friction", "elements/contact/axes", "elements/contact/features"})},
      {"elements/contact/axes", joined(space, {"elements/files", "elements/gram", "elements/surfaces", "elements/ties/tie_method.h",
                                               "elements/contact", "elements/contact/laws", "elements/contact/obstacles",
                                               "elements/contact/friction", "elements/contact/axes", "elements/contact/features"})},
      {"elements/contact/reports", joined(space, {"elements/files", "elements/surfaces", "elements/contact", "elements/contact/features",
                                                  "elements/contact/laws", "elements/contact/obstacles", "elements/contact/friction"})},
      {"elements/contact/features",
       joined(space, {"elements/surfaces", "elements/contact", "elements/contact/laws", "elements/contact/features"})},
      {"elements/contact/laws", joined(space, {"elements/contact/laws"})},
      {"elements/contact/obstacles", joined(space, {"elements/files", "elements/contact", "elements/contact/obstacles"})},
      {"elements/contact/friction", joined(space, {"elements/contact", "elements/contact/friction"})},
      {"elements/solids", solids},
      {"elements/system", system},
      {"elements/system/frames", system},
      {"elements/output", output},
      {"elements/output/calculix", output},
      {"elements/models", joined(output, {"elements/couplings", "elements/gram", "elements/shells", "elements/models"})},
      {"elements/models/structure_parts",
       joined(output, {"elements/couplings", "elements/gram", "elements/shells", "elements/models", "elements/models/structure_parts"})},
  };
}
inline const std::map<std::string, Names> interfaces = make_table();
}  // namespace symdyn::tests::in_rules
