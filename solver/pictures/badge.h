#pragma once
#include <string>

namespace symdyn
{
/// Writes the verdict of the certificate of a run as an SVG; returns its name. `output` "": badge.svg in the folder. Errors: InputError for
/// a folder without a summary, or a file that cannot be written.
std::string write_badge(const std::string &folder, const std::string &output);
}  // namespace symdyn
