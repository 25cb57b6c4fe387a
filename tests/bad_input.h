// A deck that runs, what is put in place of its parts, and what the program must say then.
#pragma once

#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests
{
/// Line numbers in the tests below are those of this text.
inline const std::string box = R"(subsection Mesh
  set Type = box
  set Subdivisions = 2, 2, 2
end
subsection Materials
  subsection body
    set Type = st-venant-kirchhoff
    set E = 1000
    set nu = 0.3
    set Density = 1000
  end
end
subsection Supports
  subsection wall
    set Boundary = x-
  end
end
subsection Loads
  subsection pull
    set Type = traction
    set Boundary = x+
    set Traction = 1, 0, 0
  end
end
subsection Time
  set Time step = 0.01
  set End time = 0.1
end
)";

inline std::string replaced(std::string text, const std::string &from, const std::string &to)
{
  const auto found = text.find(from);
  EXPECT_NE(found, std::string::npos) << from;
  return found == std::string::npos ? text : text.replace(found, from.size(), to);
}

inline void write(const std::string &file, const std::string &text) { std::ofstream(file) << text; }

inline void expect_message(const Run &run, const int exit_code, const std::vector<std::string> &parts)
{
  EXPECT_EQ(run.exit_code, exit_code) << run.terminal;
  for (const std::string &part : parts)
    EXPECT_NE(run.terminal.find(part), std::string::npos) << "'" << part << "' is not in:\n" << run.terminal;
  EXPECT_EQ(run.terminal.find("internal:"), std::string::npos) << run.terminal;
}

/// The deck and more files beside it, in a folder of their own.
class Case
{
public:
  explicit Case(const std::string &deck = box) { file("box.prm", deck); }
  Case &file(const std::string &name, const std::string &text)
  {
    write(folder / name, text);
    return *this;
  }
  Run run(const std::vector<std::string> &settings = {}, const std::string &more = "") const
  {
    return run_deck(folder, folder / "box.prm", settings, 1, more);
  }
  void fails(const std::vector<std::string> &parts, const std::vector<std::string> &settings = {}) const
  {
    expect_message(run(settings), 1, parts);
  }
  const Folder folder;
};

/// The box with one text in place of another must be refused with these words.
inline void refuse(const std::string &from, const std::string &to, const std::vector<std::string> &parts)
{
  Case(replaced(box, from, to)).fails(parts);
}

inline std::string mesh_file(const std::string &name)
{
  return replaced(box, "set Type = box\n  set Subdivisions = 2, 2, 2", "set Type = file\n  set File = " + name);
}
}  // namespace symdyn::tests
