#pragma once
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "elements/gram/fibres.h"
#include "elements/gram/gram_batches.h"
#include "elements/gram/gram_memory.h"
#include "elements/gram/heated_elements.h"
#include "elements/site_plan.h"
#include "elements/term.h"

namespace symdyn
{
/// A nodal vector of an element: a sum of sites. A place is one site, the director of an element a combination of the directors of its
/// node.
using SiteSum = std::vector<std::pair<SitePlan::Site, double>>;

/// An element in the plan of a structure.
struct PlannedElement
{
  GramModel model;
  std::vector<SiteSum> vectors;  ///< as many as its shape has
  /// Of elements at temperatures: parts of their mean at the first vectors, which are places and as many.
  std::vector<double> shares_of_temperature{};
};

/// Elements whose energies are quadratic in quadratic strains: beams, shells, directors of unit length. With e(y) of their shape
/// (GramShape), Y the vectors at rest,
///     eps = e(y) - e(Y),   V = ½ eps·D eps,   sigma = D eps,   B_i(u)_a = dB/dy of e_i: sum_k factor_k (G_pa z_q(u) + G_qa z_p(u))
///     f = sum_i sigma_i B_i(y),   V'' u = sum_i (D B(y)·u)_i B_i(y) + sum_i sigma_i B_i(u)
///     V'''[u,u] = 2 sum_i (D B(y)·u)_i B_i(u) + sum_i (D B(u)·u)_i B_i(y)
///     discrete gradient: sum_i ½ (sigma(y0) + sigma(y1))_i B_i(½ (y0 + y1)): f·(y1 - y0) = V(y1) - V(y0)   (Simo, Tarnow 1992; Gonzalez
///     2000)
/// Where the rows of G that derive have sums 0 over the places, rotations and translations leave V as it is. A part of the damping may be
/// proportional to the stiffness: C = rate V''(0). Linear elements have the strains eps = B(Y)·(y - Y) instead: V = ½ eps·D eps is
/// quadratic in displacements, f = sum_i sigma_i B_i(Y), V'' = B(Y)ᵀ D B(Y), V''' = 0; rotations do not leave V as it is.
/// Where sections have a law with a memory (Fibres), V = W_n(eps), sigma = dW_n/d eps and d sigma/d eps take the places of ½ eps·D eps,
/// D eps and D, and a discrete stress that of ½ (sigma(y0) + sigma(y1)). At temperatures eps is the strain beyond that of the free element
/// (HeatedElements).
class GramTerm : public Term
{
public:
  /// `planned` is given up element by element: models are large. `rate`: of Kelvin-Voigt damping [s]. `linear`: strains are linear
  /// in displacements. `law`: of points, of models with sections. `heat`: nullptr: no temperatures.
  GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, double rate = 0., bool linear = false,
           std::shared_ptr<const InelasticMaterial> law = nullptr, std::unique_ptr<HeatedElements> heat = nullptr);
  /// The same of `number` elements that are made one by one where they are needed, so that their models never stand side by side.
  using Make = std::function<PlannedElement(std::size_t)>;
  GramTerm(std::size_t number, const Make &planned, const PlannedSites &sites, double rate = 0., bool linear = false,
           std::shared_ptr<const InelasticMaterial> law = nullptr, std::unique_ptr<HeatedElements> heat = nullptr);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  double stiffness_weight(const At &at, const Weights &weights) const override;
  double energy_scale() const override;

  std::size_t history_size() const override { return memory.size(); }
  void begin_history(double *history) const override;
  void heat(double t, const double *as, double *history) const override;
  Spent spent(const double *history) const override;
  HistoryBlocks history_blocks() const override { return memory.blocks(); }
  void pack_history(const double *history, std::vector<double> &blocks) const override { memory.pack(history, blocks); }
  void unpack_history(const std::vector<double> &blocks, double *history) const override { memory.unpack(blocks, history); }

  /// An element that this rank counts (it owns the first site): nodal vectors, present ones and displacements alone, eps and sigma.
  struct Seen
  {
    int number;  ///< in the order of the plan, of those that this rank counts
    GramVectors y, u;
    std::vector<double> eps, sigma;
    std::vector<Fibres::Seen> points;                                      ///< [section][point]; of models with sections
    double temperature = 0;                                                ///< of elements that have one
    double temperature_at_start = 0, free_strain = 0, free_curvature = 0;  ///< theirs; 1 since the start [-], [1/m]
    double stiffness = 1;                                                  ///< k(T): their moduli over those of the model
  };
  bool has_temperatures() const { return heated != nullptr; }
  /// Of nodes that elements of this rank have, at t in this history (nullptr: virgin). Collective. Errors: InputError of reached_part().
  std::map<SitePlan::Site, double> temperatures_of_nodes(double t, const double *history) const;
  /// All of them in a state with the displacements q and this history of the term (nullptr: virgin), in any order.
  void visit(const Vector &q, const double *history, const std::function<void(const Seen &)> &take) const;

protected:
  bool is_linear() const { return linear; }
  /// Of linear elements under stresses that a displacement from At::before to At::led adds at q, for buckling.
  bool is_stressed(const At &at) const { return linear && !fibres && at.led && at.before == at.q; }
  /// Whether V'' has a geometric part.
  bool bends(const At &at) const { return !linear || is_stressed(at); }
  /// Positive where elements with these nodal vectors have a force with a meaning.
  virtual Wide margin(const std::vector<Triple<Wide>> & /*y*/) const { return Wide(always_admissible); }

private:
  /// `number`: in the plan.
  void add_element(const PlannedElement &planned, std::size_t number, const PlannedSites &sites, bool counts);
  void add_memory(const PlannedElement &planned, int group, std::size_t number, bool counts);
  /// y, z, eps at q, with this history of the term.
  void find_strains(const GramBatches &group, int batch, const Vector &q, const double *history, GramRoom &here) const;
  void find_whole_strains(const GramBatches &group, int batch, const Vector &q, GramRoom &here) const;
  int number_of(const GramBatches &group) const { return int(&group - groups.data()); }
  /// Of a batch in a history; nullptr: it is virgin.
  const Wide *memory_of(const int group, const int batch, const double *history) const
  {
    return history ? reinterpret_cast<const Wide *>(history) + memory.offset(group, batch) : nullptr;
  }
  Wide *memory_of(const int group, const int batch, double *history) const
  {
    return history ? reinterpret_cast<Wide *>(history) + memory.offset(group, batch) : nullptr;
  }
  /// Variables of a batch that its points have; behind them stand those of temperatures.
  std::size_t of_points(const int group) const { return fibres ? fibres->variables(group) : 0; }
  bool remembers() const { return fibres || heated; }
  /// What the points of a batch need.
  Fibres::Batch of(const GramBatches &group, int batch, const At &at) const;
  /// sigma from eps.
  void find_stresses(const GramBatches &group, int batch, const At &at, GramRoom &here) const;
  /// k(T) D eps: of strains that are changes, without a law of points.
  void find_elastic_stresses(const GramBatches &group, int batch, const double *history, GramRoom &here) const;
  /// Whether D depends on the temperature.
  bool softens() const { return heated && heated->softens(); }
  /// k(T) D, which stands in `room` where it is not D of the batch.
  const Wide *moduli(const GramBatches &group, int batch, const double *history, std::vector<Wide> &room) const;
  /// k(T) of a batch in a history.
  Wide stiffness_of(const GramBatches &group, int batch, const double *history) const;
  /// Of a batch whose forces have been asked for: temperatures stay in an increment.
  void commit_temperatures(const GramBatches &group, int batch, const At &at) const;
  /// New histories of the elements of other ranks that this one knows.
  void commit_ghosts(const At &at) const;
  /// f += weight sum_i sigma_i B_i about the z of a room; uses the forces of `here`.
  static void add_force(const GramBatches &group, int batch, const std::vector<Wide> &sigma, const GramRoom &about, double weight,
                        GramRoom &here, Vector &f);
  /// The second becomes the mean of both, of strains and of vectors.
  static void to_middle(const GramRoom &one, GramRoom &other);
  /// eps of the geometric part of V'', which linear elements have not: those of `here`, or carried on from At::before.
  void carry(const GramBatches &group, int batch, const At &at, const GramRoom &here, GramRoom &carried) const;
  /// The blocks k of V'', or of d/dq of the discrete gradient where at.previous is given.
  void add_stiffness(const GramBatches &group, int batch, const At &at, double weight, std::vector<Wide> &k) const;
  void add_stiffness_of_points(const GramBatches &group, int batch, const At &at, double weight, GramRoom &here, GramRoom &carried,
                               std::vector<Wide> &k) const;
  void add_second_product_of_points(const GramBatches &group, int batch, const At &at, const Vector &a, Vector &r) const;
  void add_heat(const GramBatches &group, int batch, int lane, const double *history, Seen &one) const;
  void add_blocks(const GramBatches &group, int batch, const std::vector<Wide> &k, const MatrixSink &sink) const;
  /// z of the vectors at q; of linear strains those at rest.
  void derive_place(const GramBatches &group, int batch, const Vector &q, GramRoom &here) const;
  /// weight rate sum_i (D B(q)v)_i B_i(q): a motion of a rigid body does not feel it, and D is that of the model at all temperatures.
  void add_damping_product(const Vector &q, const Vector &v, double weight, Vector &f) const;

  std::shared_ptr<const Space> space;
  double rate;
  bool linear;
  double scale = 0;
  std::vector<GramBatches> groups;
  std::unique_ptr<Fibres> fibres;          ///< nullptr: elements are elastic
  std::unique_ptr<HeatedElements> heated;  ///< nullptr: they have no temperatures
  GramMemory memory;
  std::vector<std::vector<int>> numbers;  ///< of each group: those of elements that this rank counts, `lanes` a batch
  int counted = 0;
};
}  // namespace symdyn
