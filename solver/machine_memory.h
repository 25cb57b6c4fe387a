#pragma once
#include <string>

namespace symdyn
{
/// Memory that can still be taken on this machine [bytes]: the least of what the kernel calls available and what the
/// control groups of this process (containers, batch systems) leave. Infinite where neither says anything. The files are
/// looked for below `root`.
double available_memory(const std::string &root = "");

/// Resident memory of this process, now and at most so far [bytes].
double resident_memory();
double peak_memory();
}  // namespace symdyn
