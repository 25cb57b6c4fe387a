#pragma once
#include <string>

namespace symdyn
{
/// `symdyn schemes`: all schemes with their default parameters, as a table: order, what they preserve without damping, the largest stable
/// h omega, what a step solves, and whether damping, constraints and laws with a memory are accepted. From the schemes themselves.
std::string scheme_table();

/// `symdyn doctor`: versions of libraries, processors, threads, memory, disk, and the programs that commands use, as lines or as JSON.
/// `faults`: what keeps symdyn from working here.
std::string diagnosis_of_machine(bool json, bool &faults);
}  // namespace symdyn
