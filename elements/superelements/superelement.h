#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/gram/part_places.h"
#include "elements/structure_part.h"
#include "elements/superelements/reduced_model.h"
#include "solver/base/units.h"

namespace symdyn
{
/// A reduced model in a structure: V = ½ u·K_r u, a mass ½ v·M_r v and damping of masters and amplitudes of modes (ReducedModel). Masters
/// are displacements of nodes that other parts have, and rotations of nodes with directors d_k, which are small there:
///     theta = (1 - ½ n nᵀ) sum_k D_k x (d_k - D_k),  of two directors, n = D_1 x D_2; of one without the ½ n nᵀ, of three half of the sum.
/// Amplitudes are displacements [m]: y/root(m) of a mode of mass 1, m the mass of the model. They stand at sites of their own, which no
/// translation or rotation moves.
class Superelement : public StructurePart
{
public:
  void declare(const std::string &name, Parameters &p) override;
  void plan(SitePlan &plan) override;
  void join(SitePlan &plan) override;
  PartInSystem build(const PlannedSites &sites) override;
  std::vector<Column> columns(const Units &) const override;
  void values(const State &state, std::vector<double> &out) const override;
  void draw(const State &state, NodeFrame &drawn) const override;
  bool has_elements() const override { return false; }
  std::string description() const override;

private:
  /// What turns, at rest: from the middle of the nodes to one of them, or a director of a master that turns.
  struct Line
  {
    SitePlan::Site site;
    GramVector arm;
    bool is_director;
  };
  using Row = std::vector<std::pair<std::size_t, double>>;  ///< degree of freedom of `sites`, factor
  void read_model();
  Place placed(const Place &X, bool is_direction) const;
  std::vector<PartPlaces::End> candidates(SitePlan &plan) const;
  void find_nodes(SitePlan &plan);
  void check_masters(const SitePlan &plan) const;
  std::size_t place_of(SitePlan::Site site);
  void add_rotation(SitePlan &plan, const ReducedModel::Master &master, Row &row);
  std::vector<double> at_sites(const std::vector<double> &reduced) const;
  double largest_rotation(const Vector &q) const;
  /// x of u = T x inside. Collective.
  std::vector<double> coordinates(const Vector &q) const;
  void draw_inside(const Vector &q, NodeFrame &drawn) const;

  std::optional<Parameters> deck;
  std::string called, file;
  std::vector<std::string> at;
  std::vector<double> origin{0., 0., 0.}, axes{1., 0., 0., 0., 1., 0.};
  double tolerance = 0;
  bool recovers = false;
  Units units;
  ReducedModel model;
  std::array<Place, 3> turn{};  ///< where the axes of the file point
  int block = 3;
  std::vector<PartPlaces::End> nodes;  ///< of the structure, where those of the model stand
  std::vector<SitePlan::Site> sites;   ///< of masters, then of amplitudes
  std::vector<Row> rows;               ///< of each coordinate of the model
  std::vector<Line> lines;
  std::unique_ptr<PlannedSites> seen;
  mutable bool warned = false;
};

}  // namespace symdyn
