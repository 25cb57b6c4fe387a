#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace symdyn
{
class Deck;
struct Analysis;

/// How far the energy balance of a run may be trusted.
struct RunVerdict
{
  std::string
      word;  ///< "balanced" (the error is below 1 % of the largest energy), "coarse" (below 5 %), "doubtful"; "": no motion to judge
  std::string reason;  ///< half a sentence
};
/// `status`: that of summary.json. Errors below the rounding of V do not count.
RunVerdict verdict_of(const Analysis &analysis, const std::string &status);

/// The numbers of the block `certificate` of summary.json that the computation gives (docs/report.md). Collective.
nlohmann::json certificate_of(const Analysis &analysis, const RunVerdict &verdict);
/// Of the report of `symdyn verify` on the deck beside the results (`RESULTS-verify`), if it is not older than the deck: by scheme how many
/// properties have which verdict. null: there is none.
nlohmann::json verified_beside(const std::string &results, const std::string &deck);
/// What was computed, with what, where and when: versions, host, date, command line, SHA-256 of the files. Rank 0 has it.
class Provenance
{
public:
  Provenance();
  /// Of the run that ends now.
  nlohmann::json json(const Deck &deck, const std::vector<std::string> &settings) const;

private:
  std::string started;
};
}  // namespace symdyn
