#include "solver/dynamics/balance_quality.h"

#include <algorithm>
#include <cmath>

#include "solver/archive.h"

namespace symdyn
{
void BalanceQuality::look(const EnergyBalance &energy_balance)
{
  Motion &motion = all.back();
  if (const double error = std::abs(energy_balance.balance_error()); !(error <= motion.largest_error))  // NaN stays
    motion.largest_error = std::isnan(motion.largest_error) ? motion.largest_error : error;
  motion.largest_work = std::max(motion.largest_work, std::abs(energy_balance.external_work()));
}

void BalanceQuality::leave_path(const std::string &stage, const double unaccounted)
{
  if (left.empty() || left.back().stage != stage)
    left.push_back({stage});
  left.back().unaccounted += unaccounted;
  ++left.back().increments;
}

void BalanceQuality::save(Archive archive) const
{
  std::vector<std::string> names, schemes;
  std::vector<bool> closes, damps;
  std::vector<double> numbers;
  for (const Motion &motion : all)
  {
    names.push_back(motion.stage);
    schemes.push_back(motion.scheme);
    closes.push_back(motion.closes);
    damps.push_back(motion.damps);
    numbers.insert(numbers.end(), {motion.step, motion.critical, motion.largest_error, motion.largest_work});
  }
  archive.put("stages", names);
  archive.put("schemes", schemes);
  archive.put("closes", closes);
  archive.put("damps", damps);
  archive.put("numbers", numbers);
  std::vector<std::string> stages_left;
  std::vector<double> numbers_left;
  for (const Leaps &of_stage : left)
  {
    stages_left.push_back(of_stage.stage);
    numbers_left.insert(numbers_left.end(), {of_stage.unaccounted, double(of_stage.increments)});
  }
  archive.put("stages that left the path", stages_left);
  archive.put("numbers that left the path", numbers_left);
}

void BalanceQuality::load(const Archive &archive)
{
  const auto names = archive.get<std::vector<std::string>>("stages"), schemes = archive.get<std::vector<std::string>>("schemes");
  const auto closes = archive.get<std::vector<bool>>("closes"), damps = archive.get<std::vector<bool>>("damps");
  const auto numbers = archive.get<std::vector<double>>("numbers");
  all.clear();
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back({names[i], schemes.at(i), closes.at(i), damps.at(i), numbers.at(4 * i), numbers.at(4 * i + 1), numbers.at(4 * i + 2),
                   numbers.at(4 * i + 3)});
  const auto stages_left = archive.get<std::vector<std::string>>("stages that left the path");
  const auto numbers_left = archive.get<std::vector<double>>("numbers that left the path");
  left.clear();
  for (std::size_t i = 0; i < stages_left.size(); ++i)
    left.push_back({stages_left[i], numbers_left.at(2 * i), int(numbers_left.at(2 * i + 1))});
}
}  // namespace symdyn
