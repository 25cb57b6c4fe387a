#pragma once
#include <memory>
#include <string>

namespace symdyn
{
class Parameters;

/// How relaxation times change with the temperature: tau(T) = a_T tau (thermorheologically simple materials; Ferry 1980, chapter 11). One
/// file each, registered by name; its numbers stand in a section of this name.
class TimeShift
{
public:
  virtual ~TimeShift() = default;
  virtual void declare(Parameters &p) = 0;
  /// ln a_T, 0 at T = reference; infinite where nothing relaxes.
  virtual double logarithm(double T, double reference) const = 0;
};

/// The entries Shift and Shift reference of a law, and the section of the shift.
class TimeShiftEntry
{
public:
  /// Errors: InputError.
  void declare(Parameters &p);
  bool given() const { return law != nullptr; }
  double reference() const { return at; }
  /// 1/a_T: how much faster time goes.
  double speed(double T) const;
  /// Not given, or the same name, reference and constants, which two speeds away from the reference tell.
  bool same_as(const TimeShiftEntry &other) const
  {
    constexpr double near = 10., far = 50.;
    return !given() || (other.given() && name == other.name && at == other.at && speed(at + near) == other.speed(at + near) &&
                        speed(at + far) == other.speed(at + far));
  }

private:
  std::string name;
  double at = 0.;
  std::shared_ptr<TimeShift> law;
};
}  // namespace symdyn
