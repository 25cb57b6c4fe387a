#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/gram/part_places.h"
#include "elements/loads/turning_frame.h"
#include "elements/rotors/at_speed.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// What stands at one node of a rotor: a bearing, an unbalance.
class RotorPart : public StructurePart
{
public:
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  bool has_elements() const override { return false; }

protected:
  /// `what`: "the bearing".
  void declare_node(const std::string &given_name, Parameters &p, const std::string &what);
  RotorNode node(const PlannedSites &sites) const;
  int local(const PlannedSites &sites) const { return sites.local(place.site); }

  std::optional<Parameters> deck;
  std::string name, part;
  PartPlaces::End place{};
  std::shared_ptr<const TurningFrame> frame;

private:
  std::vector<std::string> at;
};
}  // namespace symdyn
