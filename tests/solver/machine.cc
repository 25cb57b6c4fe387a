#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "solver/base/memory_usage.h"
#include "tests/run.h"

// What is known of the machine before memory is taken: files as Linux writes them, below a folder of our own.
namespace symdyn::tests::in_machine
{
namespace
{
class Files
{
public:
  Files &add(const std::string &name, const std::string &text)
  {
    const std::filesystem::path file = folder.path + name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return *this;
  }
  double memory() const { return available_memory(folder.path); }

private:
  Folder folder;
};

const std::string meminfo = "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:   20000000 kB\nBuffers: 7 kB\n";
constexpr double kernel = 20000000. * 1024.;

TEST(Machine, MemoryIsWhatTheKernelCallsAvailable)
{
  EXPECT_EQ(Files().add("/proc/meminfo", meminfo).memory(), kernel);
  EXPECT_TRUE(std::isinf(Files().memory()));
}

TEST(Machine, LimitsOfControlGroupsCount)
{
  // Version 2: the limit of a group around ours; pages of files do not count as used.
  Files second;
  second.add("/proc/meminfo", meminfo).add("/proc/self/cgroup", "0::/batch/job7\n");
  EXPECT_EQ(second.memory(), kernel);
  second.add("/sys/fs/cgroup/batch/job7/memory.max", "max\n").add("/sys/fs/cgroup/batch/job7/memory.current", "3000000000\n");
  EXPECT_EQ(second.memory(), kernel);
  second.add("/sys/fs/cgroup/batch/memory.max", "8000000000\n").add("/sys/fs/cgroup/batch/memory.current", "3000000000\n");
  EXPECT_EQ(second.memory(), 5e9);
  second.add("/sys/fs/cgroup/batch/memory.stat", "anon 1\ninactive_file 1000000000\nactive_file 5\n");
  EXPECT_EQ(second.memory(), 6e9);
  // In a container the group is the root.
  Files container;
  container.add("/proc/meminfo", meminfo).add("/proc/self/cgroup", "0::/\n").add("/sys/fs/cgroup/memory.max", "2000000000\n");
  container.add("/sys/fs/cgroup/memory.current", "500000000\n");
  EXPECT_EQ(container.memory(), 1.5e9);
  // Version 1.
  Files first;
  first.add("/proc/meminfo", meminfo).add("/proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job\n");
  first.add("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4000000000\n")
      .add("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1000000000\n");
  EXPECT_EQ(first.memory(), 3e9);
  // More used than allowed is nothing, not less.
  first.add("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "5000000000\n");
  EXPECT_EQ(first.memory(), 0.);
}

// The address sanitizer has a byte of its own for eight.
#if defined(__SANITIZE_ADDRESS__)
constexpr double with_shadow = 1.125;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr double with_shadow = 1.125;
#else
constexpr double with_shadow = 1.;
#endif
#else
constexpr double with_shadow = 1.;
#endif

TEST(Machine, OwnMemoryIsMeasured)
{
  constexpr std::size_t size = 100000000;
  const double before = resident_memory(), peak_before = peak_memory();
  EXPECT_GT(before, 1e7);
  // From the machine itself: the program keeps what it has freed.
  void *const large = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(large, MAP_FAILED);
  std::memset(large, 1, size);
  EXPECT_NEAR(resident_memory() - before, with_shadow * size, 0.1 * size);
  EXPECT_GE(peak_memory(), std::max(peak_before, before + 0.9 * size));
  munmap(large, size);
}
}  // namespace
}  // namespace symdyn::tests::in_machine
