#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "solver/frontends/calculix_mesh.h"

namespace symdyn
{
/// The input file of a job with tables of all nodes and elements for its *NODE FILE and *EL FILE cards, from which a file of results is
/// made.
struct CalculixJob
{
  std::vector<std::string> lines;
  std::vector<std::size_t> origin;                  ///< of each line: the line of the input that it is, or that it stands at
  std::vector<std::string> left_out;                ///< quantities that files of results cannot have
  std::size_t without_points = 0;                   ///< elements of which files have no fields at points that the input asks for
  static const char *const nodes, *const elements;  ///< sets whose names end with the number of the step

  static CalculixJob of(const CalculixMesh &input);
};

/// `symdyn-ccx [-i] JOB`: runs JOB.inp and writes JOB.frd, JOB.dat, JOB.sta, JOB.cvg as CalculiX does. Returns the exit code.
int run_as_calculix(int argc, char **argv);
}  // namespace symdyn
