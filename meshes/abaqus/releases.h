#pragma once
#include <string>
#include <vector>

namespace symdyn::abaqus
{
struct Job;

/// What *RELEASE says of these elements, as items of Beams/<name>/Releases: "12 from moment 1".
std::vector<std::string> releases_of(const Job &job, const std::vector<std::size_t> &elements);
}  // namespace symdyn::abaqus
