#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "elements/contact/face_memory.h"
#include "elements/contact/friction/slip.h"
#include "elements/contact/touching.h"
#include "elements/contact_tables.h"
#include "elements/place.h"
#include "elements/term.h"
#include "solver/actions.h"

namespace symdyn
{
/// Coulomb's friction of a contact, at its points: SlipLaw with the pressure, the normal and the partner of the start of the step, which
/// its memory holds. A term beside that of the contact; it has no energy where the contact was open.
class FrictionTerm : public Term
{
public:
  struct Face
  {
    std::uint64_t identity;  ///< below 2^62, the same on any number of ranks
    bool owned;
    std::vector<double> dA;  ///< of its points [m²]
  };
  struct Entries
  {
    double mu = 0;
    SlipLaw law;
    int repeats = 0;
  };
  /// Those of each stage, at least one; later stages have the last.
  struct Staged
  {
    std::vector<Entries> of_stages;
    const Actions *actions;
    std::shared_ptr<const Term> contact;  ///< the term before this one
  };
  /// What history.csv holds of it, of this rank.
  struct Rubbing
  {
    Place force{};      ///< on the surface named first [N]
    double work = 0;    ///< dissipated since the start [J]
    double energy = 0;  ///< of what sticks [J]
  };

  Traits traits() const override;
  std::size_t history_size() const override { return memories.size(); }
  void begin_history(double *history) const override;
  Spent spent(const double *history) const override;
  /// As often as the deck says, and whenever its contact does: then with the pressure of the multipliers so far.
  bool repeats(const At &at, int times) const override;
  HistoryBlocks history_blocks() const override { return memories.blocks(); }
  void pack_history(const double *history, std::vector<double> &blocks) const override { memories.pack(history, blocks); }
  void unpack_history(const std::vector<double> &blocks, double *history) const override { memories.unpack(blocks, history); }

  void remember(const At &at) const override = 0;

  virtual Rubbing rubbing(const Vector &q, const double *history) const = 0;
  /// Adds this rank's points.
  virtual void add_shear(const Vector &q, const double *history, SurfaceSums &sums) const = 0;
  /// Where it acts on the first boundary, of this rank. Of contacts whose points have one partner each.
  virtual std::vector<ContactRub> rubs(const Vector & /*q*/, const double * /*history*/) const { return {}; }

protected:
  /// Of a point's memory: tau_0 [Pa], what is dissipated, and what the next step lets go under tau_0 [J/m²].
  static constexpr int bound = 0, spent_here = 1, pending = 2, first_own = 3;

  /// `variables`: of a point, with the three above. Collective.
  FrictionTerm(int variables, Staged staged, std::vector<Face> faces, MPI_Comm communicator);
  /// Of the present stage.
  const Entries &entries() const { return staged.of_stages[std::min(staged.actions->stage, staged.of_stages.size() - 1)]; }
  /// Where the numbers of a point are in a history.
  std::size_t place(const std::size_t face, const std::size_t point) const { return memories.start(face) + variables * point; }
  /// The memory of a point; nullptr: the contact was open there.
  const double *memory(const double *history, const std::size_t face, const std::size_t point) const
  {
    return history && history[place(face, point) + bound] > 0. ? history + place(face, point) : nullptr;
  }
  /// Writes tau_0 of a pressure, and what a slip e of the step dissipated [J/m²]. Returns the part of e that stays elastic: what the bound
  /// of this step allows, so that the state bears the traction of its step; the next one lets go what its bound does not hold. Where bodies
  /// have parted, too, the memory stays for one step, if it may.
  double take(const double *m, double e, double pressure, bool may_stay, double *to) const;
  /// Of a contact that is off: nothing is left but what is dissipated, with what its points let go of.
  void rest(const At &at) const;
  /// In the memory of the start of a step, where the elastic slip is e: the bound of another pressure.
  void bind(double e, double pressure, double *to) const;

  std::vector<Face> faces;

private:
  Staged staged;
  int variables;
  FaceMemory memories;
};
}  // namespace symdyn
