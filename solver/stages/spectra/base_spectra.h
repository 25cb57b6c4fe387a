#pragma once
#include <string>
#include <vector>

#include "solver/mechanical_system.h"
#include "solver/stage.h"
#include "solver/vibration/design_spectrum.h"
#include "solver/vibration/modal_transient.h"

namespace symdyn
{
struct Analysis;

/// The entry of a stage that names a spectrum of the base motion for each axis: `design, none, 0.67 design`.
class BaseSpectra
{
public:
  struct Direction
  {
    std::size_t axis;
    double factor;
    DesignSpectrum spectrum;
    char name() const { return "xyz"[axis]; }
  };
  void declare(Parameters &p, const std::string &entry, const std::string &help) { p.add(entry, named, help); }
  /// The sections of Spectra that the entry names; once all entries of the stage are declared. Errors: InputError.
  void read(const Parameters &p, const std::string &entry, bool densities);
  bool given() const { return !named.empty(); }
  /// Errors: InputError for another number of axes than the model has.
  void check(const MechanicalSystem &system) const;
  const std::vector<Direction> &directions() const { return all; }
  /// Of the sections that it uses.
  const std::vector<std::string> &sections() const { return used; }
  /// r: the structure moved by 1 along the axis of a direction. Errors: InputError where no support holds it along that.
  Vector rigid(const MechanicalSystem &system, const Vector &q, const Direction &direction) const;

private:
  std::string where;
  std::vector<std::string> named, used;
  std::vector<Direction> all;
};

/// Modes of a structure that its supports hold, with their damping.
struct HeldModes
{
  Modes modes;
  std::vector<double> omega, ratios;
};
/// Finds and reports them. `ratios`: from everything that damps. `forces`: ModesRequest::forces. Errors: InputError for a mode that is no
/// vibration.
HeldModes find_held_modes(Analysis &analysis, const Stage &stage, const MechanicalSystem &system, ModesRequest request,
                          const ModalDamping &damping, std::vector<Vector> forces);
/// A stage on modes of a structure whose base moves as spectra say.
class BaseSpectraStage : public Stage
{
public:
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  bool may_stop() const override { return false; }  // the search asks

protected:
  /// What such stages have in common: number of modes, damping, and the sections of Spectra that `entry` names. Errors: InputError for
  /// loads, and for entries without effect.
  void declare_modes(Parameters &p, const std::string &entry, bool densities);
  std::string stem() const;
  /// Whether something else than the base moves the structure.
  virtual bool may_rest() const { return false; }

  ModesRequest request;
  ModalDamping damping;
  BaseSpectra spectra;
};
}  // namespace symdyn
