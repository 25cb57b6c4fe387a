#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/results_deck.h"

// symdyn compare: tables, frames, folders, and what is rounding.
namespace symdyn::tests::in_compare_command
{
namespace
{
TEST(Compare, FindsWhereTablesDiffer)
{
  const Folder folder;
  const auto table = [&](const std::string &name, const std::string &text) { std::ofstream(folder / name) << text; };
  table("a.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2,nan\n2,s,-4,0\n");
  table("close.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2.0004,nan\n2,s,-4,0\n");
  table("nan.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,nan,nan\n2,s,-4,0\n");
  table("words.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,r,2,nan\n2,s,-4,0\n");
  table("shorter.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2,nan\n");
  table("fewer.csv", "time [s],stage,x [m]\n0,s,1\n1,s,2\n2,s,-4\n");
  table("unit.csv", "time [s],stage,x [mm],y [m]\n0,s,1,0\n1,s,2,nan\n2,s,-4,0\n");
  table("broken.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s\n");
  const auto compared = [&](const std::string &other, const std::string &more = "") {
    return tool(folder, "compare " + (folder / "a.csv") + " " + (folder / other) + " " + more);
  };
  struct Case
  {
    std::string other, more, says;
    int code;
  };
  for (const Case &c : {Case{"a.csv", "", "4 of 4 are equal to the last bit", 0},
                        {"close.csv", "", "x       DIFFERS  1.00e-04 at 1, first beyond the tolerance at 1", 1},
                        {"close.csv", "--tolerance 1e-3", "x       same     1.00e-04 at 1", 0},
                        {"close.csv", "--ignore x", "the same within the tolerance", 0},
                        {"close.csv", "--columns y", "the same within the tolerance", 0},
                        {"nan.csv", "--tolerance 1", "nan or infinite in one of both, first at 1", 1},
                        {"words.csv", "", "'s' and 'r', first at 1", 1},
                        {"shorter.csv", "", "1 only in " + folder.path + "/a.csv, first at 2", 1},
                        {"fewer.csv", "", "only in " + folder.path + "/a.csv", 1},
                        {"unit.csv", "", "units differ: m and mm", 1},
                        {"broken.csv", "", "broken.csv:3: has 2 columns, and the titles 4", 2},
                        {"unit.csv", "--columns y", "the same within the tolerance", 0},
                        {"missing.csv", "", "there is no such folder or file", 2},
                        {"a.csv", "--columns xx", "has no column 'xx'; it has: x, y", 2}})
  {
    const Outcome outcome = compared(c.other, c.more);
    EXPECT_EQ(outcome.exit_code, c.code) << c.other << " " << outcome.terminal;
    EXPECT_EQ(has(outcome.terminal, c.says), "") << c.other;
  }
}

TEST(Compare, ReadsFramesOfOtherRanks)
{
  const Folder one, three, other;
  const auto run = [&](const Folder &folder, const std::string &traction, const int ranks) {
    return run_written(folder, cantilever + dynamics, {"Output/Write every=5", "Loads/push/Traction=" + traction}, ranks);
  };
  ASSERT_EQ(run(one, "0, -100, 0", 1).exit_code, 0);
  ASSERT_EQ(run(three, "0, -100, 0", 3).exit_code, 0);
  ASSERT_EQ(run(other, "0, -100*if(t > 0.12, 1.01, 1), 0", 1).exit_code, 0);
  const std::string ignored = "compare --tolerance 1e-8 --ignore krylov,newton ";
  const Outcome same = tool(one, ignored + one.path + "/results " + three.path + "/results"),
                differs = tool(one, ignored + one.path + "/results " + other.path + "/results");
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  EXPECT_EQ(differs.exit_code, 1) << differs.terminal;
  EXPECT_EQ(has(differs.terminal, "first beyond the tolerance at 0.15"), "") << "the first frame after the change";
}

/// compare of two files of these texts in a folder.
Outcome compared(const Folder &folder, const std::string &a, const std::string &b, const std::string &ending = ".csv",
                 const std::string &more = "")
{
  return tool(folder, "compare " + write_file(folder, "a" + ending, a) + " " + write_file(folder, "b" + ending, b) + " " + more);
}

TEST(Compare, RowsWithoutTimesAreTakenInTheirOrder)
{
  // nan and infinity in the first column: no order to match rows by. These ran for ever, or out of the rows.
  const Folder folder;
  const std::string title = "time [s],x [m]\n", nan = title + "0,1\nnan,2\n2,3\n", end = title + "0,1\n1,2\ninf,3\n",
                    nan_end = title + "0,1\n1,2\nnan,3\n";
  for (const std::string &table : {nan, end, nan_end})
  {
    const Outcome same = compared(folder, table, table);
    EXPECT_EQ(same.exit_code, 0) << same.terminal;
    const Outcome other = compared(folder, table, title + "0,1\n1,2\n2,3\n");
    EXPECT_EQ(other.exit_code, 1) << other.terminal;
    EXPECT_EQ(has(other.terminal, "nan or infinite in one of both"), "");
  }
  const Outcome values = compared(folder, nan, title + "0,1\nnan,2.1\n2,3\n");
  EXPECT_EQ(values.exit_code, 1);
  EXPECT_EQ(has(values.terminal, "x       DIFFERS  3.33e-02 at 1"), "") << "the row counts where there is no time";
}

TEST(Compare, RoundingIsMeasuredByTheQuantity)
{
  struct Case
  {
    std::string columns, a, same, differs;
  };
  const Folder folder;
  for (const Case &c :
       {Case{"bead.x [m],bead.y [m]", "1,1e-17", "1,3e-17", "1,1e-8"},
        {"g.rod,gdot.rod [1/s],g_max,gdot_max [1/s]", "1e-16,2e-15,1e-16,2e-15", "3e-16,1e-15,3e-16,1e-15", "1e-16,2e-8,1e-16,2e-8"},
        {"omega_drift,omega_floor", "1e-14,2e-15", "3e-14,1e-15", "1e-8,2e-15"},
        {"wheel.rotation_error", "1e-16", "4e-16", "1e-8"},
        {"lambda.a - b [J],lambda.b - c [J]", "9.81,1e-15", "9.81,2e-14", "9.81,1e-8"},
        {"E_kinetic [J],E_balance_error [J]", "2,1e-16", "2,-2e-16", "2,1e-8"},
        {"clamp.F_int_x [N],clamp.R_x [N],clamp.R_y [N]", "5,5,1e-16", "5,5,-1e-15", "5,5,1e-8"},
        {"participation x [1],participation y [1]", "2,1e-16", "-2,1e-15", "2.00001,1e-16"},
        {"amplitude tip.u_x [m],phase tip.u_x [deg],amplitude tip.u_y [m],phase tip.u_y [deg]", "1,179.99999999999,1e-17,10",
         "1,-179.99999999999,1e-17,80", "1,179.9,1e-17,10"}})
  {
    const std::string title = "time [s]," + c.columns + "\n1,";
    const Outcome same = compared(folder, title + c.a + "\n", title + c.same + "\n"),
                  differs = compared(folder, title + c.a + "\n", title + c.differs + "\n");
    EXPECT_EQ(same.exit_code, 0) << same.terminal;
    EXPECT_EQ(differs.exit_code, 1) << differs.terminal;
  }
}

TEST(Compare, PeaksAreThoseOfTheirQuantity)
{
  const std::string title = "column,minimum,time of minimum [s],maximum,time of maximum [s],unit\n",
                    a = title + "tip.u_x,-1,0.5,2,1,m\ntip.u_y,-1e-17,0,1e-17,1,m\nclamp.R_x,-3e6,0,3e6,1,N\n";
  const Folder folder;
  const auto other = [&](const std::string &from, const std::string &to) {
    std::string b = a;
    return compared(folder, a, b.replace(b.find(from), from.size(), to));
  };
  const Outcome rounding = other("tip.u_y,-1e-17,0,", "tip.u_y,-3e-17,0.25,");
  EXPECT_EQ(rounding.exit_code, 0) << rounding.terminal;
  EXPECT_EQ(has(rounding.terminal, "minimum at 0 and 0.25"), "") << "is said";
  EXPECT_EQ(other("2,1,m", "2.00001,1,m").exit_code, 1) << "a force of another row is no scale";
  EXPECT_EQ(other("clamp.R_x", "clamp.R_z").exit_code, 1);
  EXPECT_EQ(other("1,N", "1,kN").exit_code, 1);
}

TEST(Compare, PrintedTablesOfDatFiles)
{
  const std::string a =
      "\n displacements (vx,vy,vz) for set TIP and time  0.1000000E+01\n\n         3  1.000000E+00  2.000000E-09 -3.000000E+00\n"
      "\n forces (fx,fy,fz) for set ROOT and time  0.1000000E+01\n\n         1  5.000000E+01  0.000000E+00  0.000000E+00\n"
      "\n total force (fx,fy,fz) for set ROOT and time  0.1000000E+01\n\n            5.000000E+01  1.000000E-09  0.000000E+00\n";
  struct Case
  {
    std::string from, to;
    int code;
  };
  const Folder folder;
  EXPECT_EQ(compared(folder, a, a, ".dat").exit_code, 0);
  for (const Case &c : {Case{"-3.000000E+00", "-3.000001E+00", 0},
                        {"-3.000000E+00", "-3.000010E+00", 1},
                        {"2.000000E-09", "7.000000E-09", 0},
                        {"1.000000E-09", "9.000000E-07", 0},
                        {"         3  1.0", "         4  1.0", 1},
                        {"set TIP", "set TOP", 1},
                        {"-3.000000E+00", "          nan", 1},
                        {"time  0.1000000E+01\n\n         1", "time  0.1100000E+01\n\n         1", 1}})
  {
    std::string b = a;
    const Outcome outcome = compared(folder, a, b.replace(b.find(c.from), c.from.size(), c.to), ".dat");
    EXPECT_EQ(outcome.exit_code, c.code) << c.to << outcome.terminal;
  }
  EXPECT_EQ(compared(folder, a, a + a, ".dat").exit_code, 1) << "tables that one has alone";
  EXPECT_EQ(compared(folder, a, "", ".dat").exit_code, 2);
}

TEST(Compare, FoldersAreComparedWhole)
{
  const Folder folder;
  const std::map<std::string, std::string> files{
      {"history.csv", "time [s],x [m]\n0,1\n"},
      {"modes-forms.csv", "mode,kind,frequency [Hz]\n1,vibration,3.5\n"},
      {"harmonic-shaker.csv", "frequency [Hz],amplitude tip.u_x [m],phase tip.u_x [deg]\n1,2,3\n"},
      {"spectra.csv", "frequency [Hz],x [m]\n1,2\n"},
      {"tables.dat", " displacements (vx,vy,vz) for set TIP and time  0.1000000E+01\n\n         3  1.000000E+00\n"}};
  const auto write = [&](const std::string &name, const std::string &changed, const std::string &without) {
    std::filesystem::remove_all(folder / name);
    for (const auto &[file, text] : files)
      if (file != without)
      {
        std::string content = text;
        if (file == changed)
          content[content.find_last_of("0123456789")] = '7';
        write_file(folder, name + "/" + file, content);
      }
  };
  const auto differ = [&] { return tool(folder, "compare " + folder.path + "/a " + folder.path + "/b"); };
  write("a", "", "");
  write("b", "", "");
  const Outcome same = differ();
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  for (const auto &[file, text] : files)
  {
    write("b", file, "");
    const Outcome changed = differ();
    EXPECT_EQ(changed.exit_code, 1) << file << changed.terminal;
    EXPECT_EQ(has(changed.terminal, file), "");
    if (file == "history.csv")
      continue;
    for (const bool first : {true, false})
    {
      write(first ? "a" : "b", "", file);
      write(first ? "b" : "a", "", "");
      const Outcome alone = differ();
      EXPECT_EQ(alone.exit_code, 1) << file << alone.terminal;
      EXPECT_EQ(has(alone.terminal, file + " (tolerance 1e-09)\n  file    DIFFERS  only in " + folder.path + (first ? "/b" : "/a")), "");
    }
    write("a", "", "");
  }
}

/// A frame of one triangle with these fields of its points and of itself, as VTK writes text.
std::string frame_text(const std::map<std::string, std::string> &of_points, const std::map<std::string, std::string> &of_cell)
{
  const auto arrays = [](const std::map<std::string, std::string> &fields) {
    std::string text;
    for (const auto &[name, values] : fields)
      text += "<DataArray type=\"Float64\" Name=\"" + name + "\" format=\"ascii\">" + values + "</DataArray>\n";
    return text;
  };
  return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\n<PointData>" +
         arrays(of_points) + "</PointData>\n<CellData>" + arrays(of_cell) +
         "</CellData>\n<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0</DataArray></Points>\n"
         "<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3</DataArray>"
         "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

/// Two frames; the second has these fields.
std::string collection(const Folder &folder, const std::string &name, const std::map<std::string, std::string> &of_points,
                       const std::map<std::string, std::string> &of_cell, const std::string &kind = "solution")
{
  write_file(folder, name + "/0.vtu", frame_text({{"p", "1 2 3"}, {"s", "4 5 6"}}, {{"c", "7"}}));
  write_file(folder, name + "/1.vtu", frame_text(of_points, of_cell));
  return write_file(
      folder, name + "/" + kind + ".pvd",
      "<VTKFile type=\"Collection\"><Collection>\n<DataSet timestep=\"0\" part=\"0\" file=\"0.vtu\"/>\n<DataSet timestep=\"1\" part=\"0\" file=\"1.vtu\"/>\n</Collection></VTKFile>\n");
}

TEST(Compare, FieldsThatOneHasAloneInSomeFrames)
{
  const Folder folder;
  const std::map<std::string, std::string> points{{"p", "1 2 3"}, {"s", "4 5 6"}}, cell{{"c", "7"}};
  const std::string a = collection(folder, "a", points, cell);
  struct Case
  {
    std::map<std::string, std::string> points, cell;
    std::string says;
    int code;
  };
  for (const Case &c :
       {Case{points, cell, "the same within the tolerance", 0},
        {{{"p", "1 2 3"}}, cell, "s           DIFFERS  only in the first of both, first at 1", 1},
        {points, {}, "c of cells  DIFFERS  only in the first of both, first at 1", 1},
        {{{"p", "1 2 3"}, {"s", "4 5 6"}, {"n", "0 0 0"}}, cell, "n           DIFFERS  only in the second of both, first at 1", 1},
        {points, {{"c", "7"}, {"p", "1"}}, "p of cells  DIFFERS  only in the second of both, first at 1", 1},
        {{{"p", "1 2 3.1"}, {"s", "4 5 6"}}, cell, "p           DIFFERS  3.23e-02 at 1", 1}})
  {
    const Outcome outcome = tool(folder, "compare " + a + " " + collection(folder, "b", c.points, c.cell));
    EXPECT_EQ(outcome.exit_code, c.code) << outcome.terminal;
    EXPECT_EQ(has(outcome.terminal, c.says), "");
  }
}

TEST(Compare, ModesHaveNoSign)
{
  const Folder folder;
  const auto shape = [&](const std::string &name, const std::string &values, const std::string &kind) {
    const std::string pvd = collection(folder, name, {{"displacement", values}}, {}, kind);
    write_file(folder, name + "/0.vtu", frame_text({{"displacement", "1 0 1"}}, {}));
    return pvd;
  };
  for (const auto &[values, kind, code] :
       {std::tuple{"-1 2 -3", "modes-forms", 0}, {"-1 2 -3", "solution", 1}, {"-1 2 3", "modes-forms", 1}, {"1 -2 3", "solution", 0}})
  {
    const Outcome outcome = tool(folder, "compare " + shape("a", "1 -2 3", kind) + " " + shape("b", values, kind));
    EXPECT_EQ(outcome.exit_code, code) << kind << values << outcome.terminal;
  }
}

TEST(Compare, WithoutItsProgramCannotCompare)
{
  // 1 says that results differ.
  const Folder folder;
  std::filesystem::copy(SYMDYN_BINARY, folder / "symdyn");
  for (const auto &[line, code] : {std::pair{"compare a b", 2}, {"plot a", 1}, {"render a", 1}})
  {
    const Outcome outcome = command(folder, folder / "symdyn " + line);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_EQ(has(outcome.terminal, "needs the program symdyn-render"), "");
  }
}
}  // namespace
}  // namespace symdyn::tests::in_compare_command
