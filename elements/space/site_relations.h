#pragma once
#include <deal.II/base/partitioner.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/space/normal_solve.h"
#include "elements/space/relation_elimination.h"
#include "solver/vector.h"

namespace symdyn
{
/// sum of c_k u_k = b(t) between components of displacements at sites.
struct SiteRelation
{
  std::string name, where;                              ///< for errors; where: file:line
  std::vector<std::pair<std::uint64_t, double>> terms;  ///< global degree of freedom = block * site + component, and factor c
  /// The first term is of the high side of a sector, the others of its low side: of motions that are the same in all sectors.
  bool of_cut = false;
};

/// u of a site = sum of weight times u of others, in the directions that supports leave to the site.
struct SiteTie
{
  std::string name, where;  ///< for errors; where: file:line
  std::uint64_t site;       ///< over all ranks
  std::vector<std::pair<std::uint64_t, double>> others;
};

/// Dependent components in terms of others, u_dependent = W u_master, on every rank. Coordinates count components of the sites that
/// relations name: coordinate = block * place of the site in `sites` + component.
struct SiteSubstitution
{
  int block = 1;
  std::vector<std::uint64_t> sites;     ///< global numbers, ascending
  std::vector<int> dependent, masters;  ///< coordinates
  std::vector<int> row_of;              ///< of each coordinate: its row of W, -1: not dependent
  SparseRows W;                         ///< columns as in `masters`

  std::uint64_t site(const int coordinate) const { return sites[coordinate / block]; }
};

/// Linear relations G u = b(t) between sites, eliminated: each independent row of G P, P what supports leave, makes one component
/// dependent.
///     expand      x <- T x, dependent components from their masters: T = (W; 1)
///     reduce      r <- Tᵀ r, masters get the share of dependent components, which become 0
///     project     x <- (1 - Rᵀ(R Rᵀ)⁻¹ R) x, R independent rows of G P: of x = P x the nearest that obeys
///     impose      q <- q + Rᵀ(R Rᵀ)⁻¹ (b - G q), the nearest place that obeys
/// All relations are known on every rank; vectors are distributed, and only owned entries are read and written. All functions are
/// collective.
class SiteRelations
{
public:
  /// A component without mass, so that a relation must move it.
  struct Massless
  {
    std::uint64_t dof;
    std::string point;  ///< its name, for the error
  };
  /// P of an owned site by rows of `block` numbers, nullptr: free.
  using Projector = std::function<const double *(int site)>;

  /// `relations` and `massless` are the same on every rank. Errors: InputError for a massless component that no relation moves.
  SiteRelations(std::vector<SiteRelation> relations, int block, std::shared_ptr<const dealii::Utilities::MPI::Partitioner> sites,
                const Projector &projector, const std::vector<Massless> &massless);

  /// The same relations beside what other supports leave. Errors: as of the constructor.
  std::shared_ptr<const SiteRelations> under(const Projector &projector) const
  {
    return std::make_shared<SiteRelations>(relations, substituted.block, partitioner, projector, massless);
  }

  bool any() const { return !relations.empty(); }
  const std::vector<SiteRelation> &all() const { return relations; }
  std::size_t dependent() const { return substituted.dependent.size(); }
  std::size_t owned_dependent() const;
  std::size_t redundant() const { return left_over.rows(); }
  const SiteSubstitution &substitution() const { return substituted; }
  const dealii::Utilities::MPI::Partitioner &sites() const { return *partitioner; }

  void expand(Vector &x) const;
  void reduce(Vector &r) const;
  /// D <- the diagonal of Tᵀ D T, of masters; dependent components become 0.
  void reduce_diagonal(Vector &D) const;
  void project(Vector &x) const;
  /// b and its first and second time derivative: one number a relation each.
  using Sums = std::array<std::vector<double>, 3>;
  /// Errors: InputError where supports and relations contradict.
  void impose(const Sums &b, Vector &q, Vector &v, Vector &a) const;

  /// lambda of each relation, on every rank, that takes what holds each site: P (R - Gᵀ lambda) is 0 at dependent components; of relations
  /// that follow from others 0. `R`: what supports leave of it.
  std::vector<double> multipliers(const Vector &R) const;
  /// R <- R - Gᵀ lambda
  void subtract_forces(const std::vector<double> &lambda, Vector &R) const;

  /// x = T (Tᵀ D T)⁻¹ Tᵀ r of a diagonal D, which is not negative, and the same for the components of a site with an inclined support:
  /// the solution of D x = r under the relations. Where D is 0 and nothing is dependent, x is 0; elsewhere Tᵀ D T is regular.
  class DiagonalSolve
  {
  public:
    DiagonalSolve(const SiteRelations &relations, Vector diagonal);
    void solve(const Vector &r, Vector &x) const;

  private:
    const SiteRelations &relations;
    Vector diagonal;
    std::vector<double> root;  ///< 1 / sqrt(D) of masters
    std::unique_ptr<NormalSolve> normal;
  };

private:
  void number_sites();
  int coordinate(std::uint64_t dof) const;
  void list_given();
  RelationRows hold_by_supports(const Projector &projector) const;
  void substitute(const EliminatedRelations &eliminated);
  void reduce(Vector &r, double (*share)(double weight)) const;
  /// Of coordinates, on every rank.
  std::vector<double> gather(const Vector &x, const std::vector<int> &coordinates) const;
  std::vector<double> gather(const Vector &x) const;
  int owned_entry(int coordinate) const;
  /// The shortest change of x by which dependent - W masters loses `defect`, to `rounding`.
  void correct(const std::vector<double> &defect, Vector &x, double rounding = 0) const;
  std::vector<double> defect_of(const std::vector<double> &missing) const;
  void require_consistent(const std::vector<double> &missing, double size) const;

  std::vector<SiteRelation> relations;
  std::vector<Massless> massless;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> partitioner;
  bool parallel;
  std::vector<int> at;                ///< of each site of relations: its number on this rank, -1: another rank owns it
  SparseRows given;                   ///< G over coordinates
  SparseRows combination, left_over;  ///< of relations: EliminatedRelations
  SparseRows among_dependent;         ///< of R: columns of rows of other dependent coordinates, by rows of W
  SiteSubstitution substituted;
  std::unique_ptr<NormalSolve> normal;
};
}  // namespace symdyn
