#pragma once
// Headers that the tests need and that change with the libraries only.
#include "cmake/precompiled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
