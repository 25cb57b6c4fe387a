#pragma once
#include <string>
#include <vector>

#include "tests/run.h"

// Bodies whose results are looked at.
namespace symdyn::tests
{
/// A cantilever of length 10 m and 1 m² under a tip load of 100 N.
const std::string cantilever = R"(
set Title = A cantilever
subsection Mesh
  set Type = beam
  set Subdivisions = 8, 2, 2
  subsection beam
    set Length = 10
  end
end
subsection Materials
  subsection steel
    set Type = linear-elasticity
    set E = 1e7
    set nu = 0.3
    set Density = 1000
  end
end
subsection Supports
  subsection clamp
    set Boundary = root
    set Type = fixed
  end
end
subsection Loads
  subsection push
    set Type = traction
    set Boundary = tip
    set Traction = 0, -100, 0
  end
end
subsection Newton
  set Tolerance = 1e-12
end
subsection Linear solver
  set Tolerance = 1e-12
end
)";
const std::string statics = "subsection Stages\n  subsection push\n    set Type = static\n  end\nend\n";
const std::string dynamics =
    "subsection Time\n  set Time step = 0.01\n  set End time = 0.2\nend\nsubsection Output\n  set Write every = 1\nend\n";

/// The cube 0..1 of 2 x 2 x 2 cells: steel below, rubber above.
inline std::string cube_of_two(const std::string &materials, const std::string &rest)
{
  return "subsection Mesh\n  set Type = file\n  set File = " SYMDYN_SOURCE
         "/tests/meshes/cube_hexahedra_22.msh\nend\nsubsection Materials\n" +
         materials + "end\n" + rest;
}

inline std::string elastic(const std::string &name, const std::string &E, const std::string &more = "")
{
  return "  subsection " + name + "\n    set Type = linear-elasticity\n    set E = " + E + "\n    set nu = 0\n    set Density = 1\n" +
         more + "  end\n";
}

/// u_x = x/100 on all of the surface, and so in the cube: stresses of 20 Pa below and 2 Pa above.
const std::string stretched = cube_of_two(elastic("steel", "2000") + elastic("rubber", "200"), R"(subsection Supports
  subsection all
    set Boundary = bottom, top, sides
    set Type = displacement
    set Displacement = 0.01*x, 0, 0
  end
end
)");
}  // namespace symdyn::tests
