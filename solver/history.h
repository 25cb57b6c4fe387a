#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"
#include "solver/oscillation.h"

namespace symdyn
{
class Archive;

/// What the laws of a system have lived through up to a state: plastic strain, damage, slip. Never changed once made: states share it, and
/// a rollback drops it.
class History
{
public:
  virtual ~History() = default;
};

/// What the laws of a system have used up to a state, by its history alone.
struct Spent
{
  double dissipated = 0;    ///< since the virgin state; never falls [J]
  double by_friction = 0;   ///< the part of it that surfaces in contact have dissipated [J]
  double stored = 0;        ///< the part of E_potential that elastic unloading leaves [J]
  double largest_flow = 0;  ///< of all points: accumulated plastic strain, and its growth in the last increment [-]
  double last_flow = 0;
  double volume = 0, flowing = 0;  ///< of the cells with such laws, and of the points that flowed in the last increment [m³]

  Spent &operator+=(const Spent &other)
  {
    dissipated += other.dissipated;
    by_friction += other.by_friction;
    stored += other.stored;
    volume += other.volume;
    flowing += other.flowing;
    largest_flow = std::max(largest_flow, other.largest_flow);
    last_flow = std::max(last_flow, other.last_flow);
    return *this;
  }
};

/// A place, and how much plastic strain grew there in the last increment [-].
struct FlowPlace
{
  std::vector<double> place;  ///< [m]; empty: nowhere
  double growth = 0;
};

/// Length of an increment in which rates do not act: nothing creeps or relaxes, and flow needs no overstress.
constexpr double without_rates = std::numeric_limits<double>::infinity();

/// A law that relaxes at small strains, by the name of the material: M(t) = M_0 - sum_i M_i (1 - exp(-t/tau_i)), terms in the order of the
/// deck.
struct RelaxingLaw
{
  struct Modulus
  {
    double at_start;               ///< M_0 [Pa]
    std::vector<double> of_terms;  ///< M_i [Pa]
  };
  std::string material;
  std::vector<double> times;  ///< tau_i [s]
  Modulus shear, bulk;        ///< C_1212, (C_1111 + 2 C_1122)/3
};

/// A system about a history m_n. Of length h it is an increment of the laws: V is the incremental potential
///     W_n(q) = inf_m [A(q, m) + h psi((m - m_n)/h)]      [J]      (Ortiz, Stainier 1999, eq. 6),
/// its forces and matrices those of the law's algorithm from m_n. Of length 0 the history is frozen: V is the stored energy A(q, m_n), and
/// the forces are elastic about the state that made m_n.
class Increment : public MechanicalSystem
{
public:
  struct Committed
  {
    HistoryPointer history;  ///< m_n+1
    double lost = 0;         ///< by the step beside what the laws dissipate [J]
  };
  /// The history that the laws have at q. `previous`: q0 of a discrete gradient, whose step does the work W_n(q) - W_n(q0) and loses
  ///     D = W_n(q) - A(q, m_n+1) + A(q0, m_n) - W_n(q0) >= 0,
  /// which laws without rates dissipate to rounding if q0 does not flow; else the difference is `lost`. Collective.
  virtual Committed commit(const Vector &q, const Vector *previous = nullptr) const = 0;
  /// The system without a history.
  virtual const MechanicalSystem &whole() const = 0;
};

/// Of systems whose laws may have a memory. Such a system has no forces without a history (std::logic_error): they are asked of an
/// Increment.
class Remembering
{
public:
  virtual ~Remembering() = default;
  /// Whether any law has a memory.
  virtual bool remembers() const = 0;
  /// Whether the length of an increment matters to any of them: creep, relaxation, rates of flow.
  virtual bool depends_on_rates() const = 0;
  /// Whether increments without rates are not possible: of laws of users, which may use their time as they like.
  virtual bool needs_time() const { return false; }
  /// Those that relax, by terms; the same on all ranks.
  virtual std::vector<RelaxingLaw> relaxing() const { return {}; }
  /// Why their complex stiffness is not there; empty: it is.
  virtual std::string without_oscillations() const { return ""; }
  /// Frozen, with the stiffness of an oscillation in place of V''. The system must outlive it.
  virtual std::unique_ptr<Increment> oscillating(HistoryPointer /*about*/, const Oscillation &) const { return nullptr; }
  /// The place in cells where plastic strain grew most in the last increment, and that growth [m, -]. Collective.
  virtual FlowPlace place_of_flow(const HistoryPointer &) const { return {}; }
  /// An increment of length h, or without_rates. Bodies have the temperatures of the time t [s]. The system must outlive it.
  virtual std::unique_ptr<Increment> increment(HistoryPointer from, double h, double t) const = 0;
  /// To repeat a step from `start` that has led to q, with the history `from`: that history, with what a step takes from the state of its
  /// start (pressures of friction, multipliers of hard contact) taken from q. nullptr: after so many repetitions there is none. Errors:
  /// ComputationError where repetitions lead nowhere. Collective.
  virtual HistoryPointer renewed(const HistoryPointer & /*from*/, const Vector & /*start*/, const Vector & /*q*/, int /*times*/) const
  {
    return nullptr;
  }
  /// Frozen at the history that the state has whenever it is asked: system and state must outlive it.
  virtual std::unique_ptr<Increment> at(const State &state) const = 0;
  /// Whether temperatures change with time.
  virtual bool heats_in_time() const { return false; }
  /// The history with the temperatures of the time t [s]; the same object where there are none.
  virtual HistoryPointer heated(HistoryPointer history, double t) const = 0;
  /// Work of the change of temperatures from a state to another [J], with A the stored energy: A(q, T1) - A(q, T0) at q = q0 if `at_start`,
  /// of schemes whose forces are all of T1; else the mean of that and of the same at q1. Collective.
  virtual double heating_work(const State &before, const State &after, bool at_start) const = 0;
  /// nullptr: all virgin. Collective.
  virtual Spent spent(const HistoryPointer &history) const = 0;
  /// By identity of cells. Collective.
  virtual void save_history(const HistoryPointer &history, Archive archive) const = 0;
  /// Errors: InputError for the history of other cells.
  virtual HistoryPointer load_history(const Archive &archive) const = 0;
};

/// nullptr: no law of the system, which may be an Increment, has a memory.
const Remembering *remembering(const MechanicalSystem &system);
/// Of a state; nothing where no law has a memory. Collective.
Spent spent(const MechanicalSystem &system, const State &state);
/// The system itself, or that of an Increment.
const MechanicalSystem &whole(const MechanicalSystem &system);

/// A system about a state, with the state's history: what is to be asked for forces and energies. Without a memory it is the system.
class About
{
public:
  /// Frozen. The state must outlive this.
  About(const MechanicalSystem &system, const State &state);
  /// In the step of length h that began at this state, with the temperatures of the time t.
  About(const MechanicalSystem &system, const State &before, double h, double t);

  const MechanicalSystem &operator*() const { return *seen; }
  const MechanicalSystem *operator->() const { return seen; }

private:
  std::unique_ptr<Increment> made;
  const MechanicalSystem *seen;
};
}  // namespace symdyn
