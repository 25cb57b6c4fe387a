#pragma once
#include <string>

namespace symdyn
{
/// Memory that can still be taken on this machine [bytes]: the least of what the kernel calls available and what the
/// control groups of this process (containers, batch systems) leave. Infinite where neither says anything. The files are
/// looked for below `root`.
double available_memory(const std::string &root = "");

/// A sparse factorisation of n equations, fill and work space: n^(4/3) in 3-D (a cube; a slender body has a third less), n log n in 2-D
/// [bytes]. Fitted to MUMPS.
double memory_of_factors(int dim, double n);

/// Resident memory of this process, now and at most so far [bytes].
double resident_memory();
double peak_memory();
}  // namespace symdyn
