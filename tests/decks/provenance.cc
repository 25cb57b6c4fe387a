// What the certificate says of files and of `symdyn verify`; what front-ends see of a job that runs; where a failed stage stands.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/run.h"

namespace symdyn::tests::in_provenance
{
namespace
{
const std::string cube =
                      "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
                      "*ELEMENT, TYPE=C3D8, ELSET=E\n7,1,2,3,4,5,6,7,8\n",
                  steel = "*MATERIAL, NAME=M\n*ELASTIC\n210000.,0.3\n*DENSITY\n7.8e-9\n*SOLID SECTION, ELSET=E, MATERIAL=M\n",
                  held = "*BOUNDARY\n1,1,3\n2,2,3\n4,3,3\n3,3\n";

nlohmann::json certificate_of(const std::string &results)
{
  return nlohmann::json::parse(text_of(results + "/summary.json")).at("certificate");
}

std::string run_line(const std::string &deck, const std::string &results)
{
  return std::string(SYMDYN_BINARY) + " run " + deck + " --output " + results + " --overwrite";
}

/// sigma = sigma_y + H p in uniaxial tension to the strain e: the work a unit volume.
double work_of_tension(const double E, const double yield, const double H, const double e)
{
  const double at_yield = yield / E, tangent = E * H / (E + H), beyond = e - at_yield;
  return 0.5 * yield * at_yield + yield * beyond + 0.5 * tangent * beyond * beyond;
}
}  // namespace

TEST(Provenance, EachFileHasItsSumOnce)
{
  const Folder folder;
  write_file(folder, "mesh.inc", cube);
  const std::string deck =
      write_file(folder, "job.inp",
                 "*INCLUDE, INPUT=mesh.inc\n" + steel + held + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n6,3,1.\n7,3,1.\n8,3,1.\n*END STEP\n");
  const Outcome run = command(folder, run_line(deck, folder / "results"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  std::vector<std::string> names;
  const auto certificate = certificate_of(folder / "results");
  for (const auto &file : certificate.at("files"))
    names.push_back(std::filesystem::path(file.at("file").get<std::string>()).filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"job.inp", "mesh.inc"}));
  EXPECT_EQ(certificate.count("verify"), 0u);
}

/// A deck made for a mesh has the units that the file names; SI where it names none.
TEST(Provenance, NewDecksHaveTheUnitsOfTheFile)
{
  const Folder folder;
  const std::string body = cube + "*SURFACE, NAME=LOW\n7, S1\n*SURFACE, NAME=HIGH\n7, S2\n" + steel + "*STEP\n*STATIC\n*END STEP\n";
  for (const auto &[heading, system] :
       {std::pair{"*HEADING\nHash: x, Date: 05/19/2026, Unit system: MM_TON_S_C\n", "mm-t-s"}, {"*HEADING\nA part\n", "SI"}})
  {
    write_file(folder, "part.inp", heading + body);
    ASSERT_EQ(tool(folder, "new " + (folder / system) + " --from " + (folder / "part.inp")).exit_code, 0);
    EXPECT_EQ(has(text_of(folder / (std::string(system) + ".prm")), "set System = " + std::string(system)), "");
  }
}

/// Of a report that is there, and not of one that is older than the deck.
TEST(Provenance, VerdictsOfVerifyAreInTheCertificate)
{
  const Folder folder;
  const std::string deck = write_file(folder, "job.inp", cube + steel + held + "*STEP\n*STATIC\n*CLOAD\n5,3,1.\n*END STEP\n");
  std::filesystem::create_directories(folder / "results-verify");
  const std::string report = write_file(folder, "results-verify/verify.json",
                                        R"([{"scheme": "newmark", "property": "order", "verdict": "kept"},
{"scheme": "newmark", "property": "momenta", "verdict": "kept"}, {"scheme": "newmark", "property": "energy", "verdict": "broken"},
{"scheme": "verlet", "property": "control: form", "verdict": "broken"}])");
  ASSERT_EQ(command(folder, run_line(deck, folder / "results")).exit_code, 0);
  const nlohmann::json verdicts = certificate_of(folder / "results").at("verify").at("verdicts");
  EXPECT_EQ(verdicts, nlohmann::json::parse(R"({"newmark": {"kept": 2, "broken": 1}})"));
  std::filesystem::last_write_time(report, std::filesystem::last_write_time(deck) - std::chrono::hours(1));
  ASSERT_EQ(command(folder, run_line(deck, folder / "results")).exit_code, 0);
  EXPECT_EQ(certificate_of(folder / "results").count("verify"), 0u);
}

/// ENER is the elastic and the plastic work, as CalculiX has it, and so is ELSE.
TEST(Provenance, EnergyOfPlasticElementsIsTheirWork)
{
  const Folder folder;
  constexpr double E = 210000, yield = 300, H = 2000, e = 0.003;
  const std::string plastic = fmt::format(
      "*MATERIAL, NAME=M\n*ELASTIC\n{},0.3\n*PLASTIC\n{},0.\n{},1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n", E, yield, yield + H);
  const std::string deck = write_file(folder, "job.inp",
                                      cube + plastic + held +
                                          fmt::format("*STEP\n*STATIC\n0.1, 1.\n*BOUNDARY\n5,3,3,{0}\n6,3,3,{0}\n7,3,3,{0}\n8,3,3,{0}\n"
                                                      "*EL PRINT, ELSET=E\nENER, ELSE\n*END STEP\n",
                                                      e));
  const Outcome run = command(folder, run_line(deck, folder / "results"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string tables = text_of(folder / "results/job.dat");
  const double expected = work_of_tension(E, yield, H, e);
  const auto number_below = [&](const std::string &title, const int words) {
    std::istringstream in(tables.substr(std::min(tables.size(), tables.rfind(title))));
    std::string line, word;
    std::getline(in, line);
    for (int i = 0; i < words; ++i)
      in >> word;
    double value = 0;
    in >> value;
    return value;
  };
  EXPECT_NEAR(number_below("internal energy density", 2), expected, 1e-5 * expected) << tables;
  EXPECT_NEAR(number_below("internal energy (", 1), expected, 1e-5 * expected) << tables;
}

/// A job that runs shows its increments; what is killed leaves no run behind.
TEST(CalculixJobRuns, IsFollowedAndEndsWithItsFrontEnd)
{
  const Folder folder;
  write_file(folder, "job.inp",
             cube + steel + held +
                 "*AMPLITUDE, NAME=A\n0.,0.,1e5,1e5\n*STEP, INC=100000000\n*DYNAMIC, DIRECT\n1e-9, 1.\n*CLOAD, "
                 "AMPLITUDE=A\n5,3,1.\n*END STEP\n");
  const std::string script = "cd " + folder.path + " && " + SYMDYN_BINARY +
                             "-ccx job > said.txt 2>&1 & job=$!; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 1; [ -s " +
                             (folder / "job.sta") + " ] && break; done; kill -9 $job; ls " + (folder / "job.sta") +
                             "; for i in 1 2 3 4 5 6 7 8 9 10; do "
                             "pgrep -f " +
                             (folder / "job.symdyn") + " > /dev/null || exit 0; sleep 1; done; exit 7";
  write_file(folder, "script.sh", script);
  const Outcome outcome = command(folder, "sh " + (folder / "script.sh"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal << text_of(folder / "said.txt");
  EXPECT_GT(std::count(text_of(folder / "said.txt").begin(), text_of(folder / "said.txt").end(), '\n'), 2);
  const std::string sta = text_of(folder / "job.sta");
  EXPECT_GT(std::count(sta.begin(), sta.end(), '\n'), 2) << sta;
}
}  // namespace symdyn::tests::in_provenance
