#pragma once
#include <cstdint>
#include <vector>

#include "elements/term.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Where elements side by side keep what they remember: [group][batch][variable], in Wides. Blocks of checkpoints are by element.
class GramMemory
{
public:
  /// Takes the last element of a batch. `identity`: its number, the same on any number of ranks.
  struct Place
  {
    int group, batch, lane;
    bool counts;
    std::uint64_t identity;
  };
  /// `variables`: of each element of its group.
  void add(const Place &place, std::size_t variables);
  /// All elements are there. Collective.
  void close(MPI_Comm ranks);

  /// Doubles.
  std::size_t size() const;
  std::size_t offset(int group, int batch) const { return start[group] + std::size_t(batch) * groups[group].variables; }
  TermHistory::HistoryBlocks blocks() const;
  void pack(const double *history, std::vector<double> &blocks) const;
  /// Lanes without an element stay as they are.
  void unpack(const std::vector<double> &blocks, double *history) const;

private:
  struct Group
  {
    std::size_t variables;
    std::vector<int> filled;              ///< elements of each batch
    std::vector<std::uint64_t> identity;  ///< [batch][lane]
    int counted = 0;                      ///< batches
  };
  /// Calls visit(group, batch, lane) for all elements, those that this rank counts first.
  template <class Visit>
  void each_element(const Visit &visit) const;

  std::vector<Group> groups;
  std::vector<std::size_t> start;  ///< of groups
  std::size_t block = 0;           ///< doubles of an element, at most
};
}  // namespace symdyn
