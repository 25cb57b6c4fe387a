#include "solver/stages/measured/test_file.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
void TestFile::declare(Parameters &p, const std::string &what)
{
  p.add("File", file, "a universal file (.uff, .unv) with " + what);
  p.add("Tolerance", tolerance,
        "largest distance of a sensor from its place in the structure [m]; 0: a hundredth of the structure's length", not_negative());
  p.add(
      "Units", units,
      "automatic: lengths of File as it says (dataset 164), or those of the deck; a number: how many of the deck's units of length are one of File");
}

void TestFile::check_entries(const Parameters &p)
{
  if (!p.exists())
    return;
  if (file.empty())
    p.fail("File", "Test data need a universal file. Give its name, or remove the section");
  if (units != "automatic")
    if (const auto number = number_from<double>(units); !number || !(*number > 0.))
      p.fail("Units", "must be automatic, or a number > 0");
  place = p.where("File");
  path = p.file_path(file);
}

UniversalFile TestFile::read() const
try
{
  return UniversalFile::read(path);
}
catch (const InputError &error)
{
  throw InputError(fmt::format("{}: {}", place, error.what()));
}

double TestFile::factor_of(const Analysis &analysis, const UniversalFile &content) const
{
  if (const auto number = number_from<double>(units))
    return *number;
  const double per_metre = UniversalFile::per_metre(analysis.units.length);
  return content.length_factor > 0. && per_metre > 0. ? per_metre / content.length_factor : 1.;
}

double TestFile::tolerance_of(const Analysis &analysis) const
{
  const ModelFacts facts = analysis.structure->facts();
  constexpr double usual = 0.01;  // of the structure
  return tolerance > 0.
             ? tolerance
             : usual * std::hypot(facts.upper[0] - facts.lower[0], facts.upper[1] - facts.lower[1], facts.upper[2] - facts.lower[2]);
}
}  // namespace symdyn
