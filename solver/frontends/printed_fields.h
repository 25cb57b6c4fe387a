#pragma once
#include <map>
#include <string>
#include <vector>

#include "solver/frontends/calculix_mesh.h"

namespace symdyn
{
/// Values at nodes that a file of results of CalculiX (.frd) has of one moment or one shape.
struct PrintedFields
{
  double time = 0;  ///< or frequency, or load factor
  int mode = 0;     ///< of a shape, from 1; 0: a state
  int step = 1, increment = 1;
  /// By the quantity of the table: "U", "V", "RF", "NT", "S", "E", "ENER", "PEEQ"; "U" and "UI": both parts of a vibration.
  std::map<std::string, std::map<long, std::vector<double>>> fields;
};

/// What a .dat file has of our own sets, and what else is in it.
struct PrintedFile
{
  std::vector<PrintedFields> moments;
  std::string rest;
  /// `nodes`, `elements`: names of the sets.
  static PrintedFile read(const std::string &file, const CalculixMesh &mesh, const std::string &nodes, const std::string &elements);
};

/// The text of a .frd file.
std::string frd_text(const CalculixMesh &mesh, const std::vector<PrintedFields> &moments);
}  // namespace symdyn
