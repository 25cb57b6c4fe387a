#pragma once
#include <string>
#include <vector>

#include "meshes/abaqus/keywords.h"

namespace symdyn::abaqus
{
struct Job;
struct Step;

/// *AMPLITUDE: a(t), linear between the points, constant beyond them.
struct AmplitudeTable
{
  std::vector<double> t, a;
  bool total_time = false;
  double at(double time) const;
  /// The same as an expression of the time t of the deck, where the table begins at `start`: piece by piece, found by halving.
  std::string formula(double start) const;
};

/// That of a card; nullptr: it has none. Errors: InputError for one that does not exist.
const AmplitudeTable *amplitude(const Job &job, const Keyword &card);
/// The factor that an amplitude has at the end of a static step.
double static_factor(const Job &job, const Keyword &card, const Step &step);
/// TIME DELAY of the card [s].
double delay(const Job &job, const Keyword &card);
/// The entry "Amplitude points" of a support or a load, where amplitudes are functions of time.
void write_amplitude(Job &job, const Keyword &card, const Step &step, const std::string &path);
/// value*amplitude, of an entry that is an expression of t.
std::string varying_value(const Job &job, const Keyword &card, const Step &step, double value);
}  // namespace symdyn::abaqus
