#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// Takes the warnings that the log writes while this lives, too, on the first rank. One of them inside another takes them alone.
class WarningList
{
public:
  WarningList();
  ~WarningList();
  WarningList(const WarningList &) = delete;
  WarningList &operator=(const WarningList &) = delete;

  std::vector<std::string> texts;

private:
  WarningList *around;
};
}  // namespace symdyn
