#pragma once
#include <type_traits>
#include <vector>

#include "materials/inelastic.h"

namespace symdyn
{
/// A law around another one, which may have no memory: it has the properties of the other, unless the derived class changes them. What
/// laws with a memory can be asked is passed on here, once for all. Derived supplies what InelasticOf says.
template <class Derived>
class LawAround : public InelasticOf<Derived>
{
public:
  void declare(Parameters &) override {}
  bool small_strain() const override { return within->small_strain(); }
  bool plane_stress() const override { return within->plane_stress(); }
  bool depends_on_rates() const override { return memory && memory->depends_on_rates(); }
  bool has_potential() const override { return !memory || memory->has_potential(); }
  bool is_symmetric() const override { return !memory || memory->is_symmetric(); }
  bool flows() const override { return memory && memory->flows(); }
  Wide flow(const Wide *m) const override { return memory ? memory->flow(m + first) : Wide(0.); }
  Wide last_flow(const Wide *m) const override { return memory ? memory->last_flow(m + first) : Wide(0.); }
  std::vector<Remembered> remembered() const override { return memory ? memory->remembered() : std::vector<Remembered>(); }

protected:
  /// The law must outlive this. Its variables begin at `first`.
  explicit LawAround(const Material &law, const int first = 0) : within(&law), memory(inelastic(law)), first(first)
  {
    this->kinks = memory && memory->has_kinks();
  }

  /// Of a law with a memory; `to` of Wide alone.
  template <class T>
  Symmetric<T> remembered_stress(const Symmetric<T> &C, const Wide *from, const double dt, T *to) const
  {
    if constexpr (std::is_same_v<T, Wide>)
      return memory->incremental_stress(C, from + first, dt, to ? to + first : nullptr);
    else
      return memory->incremental_stress(C, from + first, dt);
  }
  /// What the law shows, with the dissipation of this; the place behind it.
  Wide *show_within(const Wide *m, Wide *values) const
  {
    if (!memory)
      return values;
    memory->show(m + first, values);
    for (const Remembered &one : memory->remembered())
    {
      if (one.name == "dissipation")
        *values = this->dissipated(m);
      values += one.components;
    }
    return values;
  }

  const Material *within;
  const InelasticMaterial *memory;  ///< the law if it has one, else nullptr
  const int first;                  ///< of its variables

private:
  double length_without_rates() const override { return memory ? memory->length_without_rates() : 1.; }
  bool subtracts_logarithms() const override { return memory && memory->subtracts_logarithms(); }
  std::vector<double> relaxation_times() const override { return memory ? memory->relaxation_times() : std::vector<double>(); }
  Symmetric<Wide> relaxing_change(const Symmetric<Dual<Wide>> &C, const Wide *from, const double *weights) const override = 0;
};
}  // namespace symdyn
