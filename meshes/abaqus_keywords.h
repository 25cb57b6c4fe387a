#pragma once
#include <map>
#include <string>
#include <vector>

#include "meshes/mesh_file.h"

/// The syntax of Abaqus input files, and their elements.
namespace symdyn::abaqus
{
struct Line
{
  std::size_t number;
  std::vector<std::string> words;
};

struct Keyword
{
  std::size_t line;
  std::string name;                            ///< in upper case
  std::map<std::string, std::string> options;  ///< by upper-case name
  std::vector<Line> data;
};

std::string upper(std::string word);

/// Cuts the file into keywords with their data; comments (**) and blank lines go.
std::vector<Keyword> keywords(Scanner &scanner);

/// InputError unless the keyword is known to say nothing of the mesh.
void require_not_of_the_mesh(const Scanner &scanner, const Keyword &keyword);

/// The shape of an element type such as C3D8R; InputError if it cannot be read.
Shape shape(const Scanner &scanner, const Keyword &keyword, const std::string &type);

/// Faces S1, S2, ... of the cells by their nodes as in the file (Abaqus Elements Guide, "Element faces").
extern const std::map<Shape, std::vector<std::vector<unsigned int>>> faces;
}  // namespace symdyn::abaqus
