// What packages install is built by the preset that builds them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace symdyn::tests::in_presets
{
namespace
{
std::string text_of(const std::string &file)
{
  std::ifstream in(std::string(SYMDYN_SOURCE) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
}  // namespace

TEST(Presets, PackagesHaveAllThatIsInstalled)
{
  std::set<std::string> built;
  const nlohmann::json presets = nlohmann::json::parse(text_of("CMakePresets.json"));
  for (const auto &preset : presets.at("buildPresets"))
    if (preset.at("name") == "package")
      for (const auto &target : preset.at("targets"))
        built.insert(target.get<std::string>());
  const std::string install = text_of("cmake/install.cmake");
  static const std::regex made(R"(add_custom_target\((\w+) ALL)");
  std::size_t found = 0;
  for (auto match = std::sregex_iterator(install.begin(), install.end(), made); match != std::sregex_iterator(); ++match, ++found)
    EXPECT_EQ(built.count((*match)[1].str()), 1u) << "the build preset `package` lacks the target " << (*match)[1].str();
  EXPECT_GT(found, 0u);
}
}  // namespace symdyn::tests::in_presets
