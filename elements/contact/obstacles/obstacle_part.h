#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elements/contact/obstacles/obstacle.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// The obstacles of a deck, by name: what the parts of a structure share while they plan.
struct Obstacles
{
  struct One
  {
    std::shared_ptr<Obstacle> obstacle;
    bool moves = false;
    Place start{};                  ///< its displacement at t = 0 [m]
    double speed = 0;               ///< at t = 0 [m/s]
    SitePlan::Site site = 0;        ///< that carries it, if it moves
    std::vector<std::string> used;  ///< contacts that name it
  };
  std::map<std::string, One> all;
  std::set<std::pair<std::string, std::string>> pairs;  ///< boundaries and obstacles of contacts
  std::vector<std::string> names() const;
};

/// A section of Obstacles. One that moves is a site whose motion is prescribed: q_o(t), so that every scheme has it at the times of its own
/// forces, and its work is that of a support.
class ObstaclePart : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  bool has_elements() const override { return false; }
  void initialise(const PlannedSites &sites, Vector &q, Vector &v) const override;
  void draw(const State &state, NodeFrame &frame) const override;
  std::string description() const override;

private:
  std::optional<Parameters> deck;
  std::string called, type = "plane";
  std::shared_ptr<Obstacle> obstacle;
  std::vector<Expression> motion;
  const Obstacles::One *shared = nullptr;  ///< of the plan
  Place centre{};                          ///< of the body's nodes, about
  double size = 0;
  int n = 3, local = -1;  ///< local: of its site
  bool draws = false;
};
}  // namespace symdyn
