#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

// A mass on a base that moves, and checks of messages.
namespace symdyn::tests::in_base_motion
{
inline void expect_in(const std::string &text, const std::vector<std::string> &parts)
{
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

/// One mass on a spring between two feet, along x.
inline const std::string one_mass = R"(
set Structure = discrete
subsection Base motion
  set File = record.csv
  set Unit = deck
  set Direction = 1
end
subsection Points
  set Dimension = 1
  subsection foot
    set Position = 0
    set Fixed = yes
  end
  subsection mass
    set Mass = 2
    set Position = 1
  end
end
subsection Bars
  subsection spring
    set From = foot
    set To = mass
    set Law = linear
    set EA = 128
  end
end
subsection Dashpots
  subsection drag
    set Points = mass
    set Coefficient = 1.6
  end
end
subsection Time
  set Time step = 0.0002
  set End time = 1
end
subsection Newton
  set Tolerance = 1e-13
end
subsection Output
  set Write every = never
end
)";
}  // namespace symdyn::tests::in_base_motion
