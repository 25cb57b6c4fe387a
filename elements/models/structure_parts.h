#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/structure_part.h"
#include "elements/system/assembled_system.h"
#include "solver/structure.h"

namespace symdyn
{
/// The parts that a deck gives in sections of registered names (StructurePart).
class StructureParts
{
public:
  /// Errors: InputError.
  void declare(Parameters &root);
  static void document(Parameters &root);
  bool any() const { return !parts.empty(); }
  /// Collective. Errors: InputError.
  void plan(SitePlan &plan);
  /// `plan` must outlive this. Collective.
  void add_to(AssembledSystem::Parts &system, const SitePlan &plan);
  void initialise(State &state) const;
  /// f += what the parts add to the internal force, at sites of this rank [N].
  void add_force(const Vector &q, Vector &f) const;
  void add_columns(const Units &units, std::vector<Column> &columns) const;
  void add_values(const State &state, std::vector<double> &values) const;
  void add_facts(ModelFacts &facts) const;
  /// Lines of `symdyn check`; "": there is no part.
  std::string description() const;

private:
  struct Part
  {
    std::string kind, name;
    std::shared_ptr<StructurePart> part;
  };
  std::vector<Part> parts;
  std::optional<PlannedSites> sites;
  std::vector<std::shared_ptr<Term>> terms;
  /// Of all ranks.
  struct Facts
  {
    std::uint64_t sites = 0, held = 0;
    double mass = 0;
    Place moment{}, lower{}, upper{};  ///< of places
    bool places = false;
  };
  void find_facts(const std::vector<double> &masses, const std::vector<std::shared_ptr<const SiteSupports>> &supports,
                  const SitePlan &plan);
  Facts found;
  std::size_t first_site = 0;  ///< of the sites that the plan appends
};
}  // namespace symdyn
