#include "elements/files/shared_points.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

SharedPoints::SharedPoints(const std::vector<PointKey> &keys, const MPI_Comm communicator) : communicator(communicator)
{
  std::map<PointKey, std::int32_t> known;
  for (const PointKey &key : keys)
  {
    const auto found = key == alone ? known.end() : known.find(key);
    number.push_back(found == known.end() ? std::int32_t(first.size()) : found->second);
    if (found != known.end())
      continue;
    if (key != alone)
      known.emplace(key, number.back());
    first.push_back(std::int32_t(number.size()) - 1);
  }
  if (MPI::n_mpi_processes(communicator) > 1)
    find_common(known);
}

/// Each key has a rank that counts who has it, and sums.
void SharedPoints::find_common(const std::map<PointKey, std::int32_t> &known)
{
  const unsigned int ranks = MPI::n_mpi_processes(communicator);
  std::map<unsigned int, std::vector<std::uint64_t>> asked;  // by rank that sums: two words a key
  for (const auto &[key, point] : known)
  {
    const unsigned int rank = (key[0] ^ key[1]) % ranks;
    asked[rank].insert(asked[rank].end(), key.begin(), key.end());
    here[rank].push_back(point);
  }
  const auto wanted = MPI::some_to_some(communicator, asked);
  std::map<PointKey, std::pair<int, std::int32_t>> seen;  // how many ranks have it, where it is summed
  for (const auto &[rank, words] : wanted)
    for (std::size_t i = 0; i < words.size(); i += 2)
      ++seen[{words[i], words[i + 1]}].first;
  std::map<unsigned int, std::vector<char>> answers;
  for (auto &[key, of_key] : seen)
    if (of_key.first > 1)
      of_key.second = std::int32_t(sums++);
  for (const auto &[rank, words] : wanted)
  {
    Numbers &sums_of_rank = summed[rank];
    for (std::size_t i = 0; i < words.size(); i += 2)
    {
      const auto [count, sum] = seen.at({words[i], words[i + 1]});
      answers[rank].push_back(count > 1);
      if (count > 1)
        sums_of_rank.push_back(sum);
    }
  }
  for (const auto &[rank, common] : MPI::some_to_some(communicator, answers))
  {
    Numbers kept;
    for (std::size_t i = 0; i < common.size(); ++i)
      if (common[i])
        kept.push_back(here[rank][i]);
    here[rank] = kept;
  }
}

void SharedPoints::average(NodeField &field) const
{
  const std::size_t width = field.width, row = width + 1;  // the last one counts
  std::vector<double> means(first.size() * row, 0.);
  for (std::size_t i = 0; i < number.size(); ++i)
  {
    double *mean = &means[number[i] * row];
    for (std::size_t c = 0; c < width; ++c)
      mean[c] += field.values[i * width + c];
    mean[width] += 1.;
  }
  if (MPI::n_mpi_processes(communicator) > 1)
    add_other_ranks(means, row);
  for (std::size_t i = 0; i < number.size(); ++i)
    for (std::size_t c = 0; c < width; ++c)
      field.values[i * width + c] = means[number[i] * row + c] / means[number[i] * row + width];
}

void SharedPoints::add_other_ranks(std::vector<double> &rows, const std::size_t width) const
{
  std::map<unsigned int, std::vector<double>> sent, back;
  for (const auto &[rank, points] : here)
    for (const std::int32_t point : points)
      sent[rank].insert(sent[rank].end(), &rows[point * width], &rows[point * width] + width);
  const auto received = MPI::some_to_some(communicator, sent);
  std::vector<double> all(sums * width, 0.);
  for (const auto &[rank, values] : received)
    for (std::size_t i = 0; i < values.size(); ++i)
      all[summed.at(rank)[i / width] * width + i % width] += values[i];
  for (const auto &entry : received)
    for (const std::int32_t sum : summed.at(entry.first))
      back[entry.first].insert(back[entry.first].end(), &all[sum * width], &all[sum * width] + width);
  for (const auto &[rank, values] : MPI::some_to_some(communicator, back))
    for (std::size_t i = 0; i < values.size(); ++i)
      rows[here.at(rank)[i / width] * width + i % width] = values[i];
}

void SharedPoints::merge(NodeFrame &frame) const
{
  for (std::int32_t &point : frame.connectivity)
    point = number[point];
  const auto keep_first = [&](NodeField &field) {
    std::vector<double> kept;
    kept.reserve(first.size() * field.width);
    for (const std::int32_t point : first)
      kept.insert(kept.end(), &field.values[point * field.width], &field.values[point * field.width] + field.width);
    field.values = std::move(kept);
  };
  keep_first(frame.places);
  for (NodeField &field : frame.fields)
    keep_first(field);
}
}  // namespace symdyn
