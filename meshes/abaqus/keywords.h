#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "meshes/mesh_file.h"

/// The syntax of Abaqus and CalculiX input files, and their elements.
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
  std::string name;                            ///< in upper case, as the manuals write it
  std::map<std::string, std::string> options;  ///< by upper-case name
  std::vector<Line> data;

  bool has(const std::string &option) const { return options.count(option) > 0; }
  /// "" if it is not given.
  std::string option(const std::string &name) const { return has(name) ? options.at(name) : ""; }
};

std::string upper(std::string word);
/// In upper case without blanks.
std::string compact(const std::string &word);
std::string unquoted(const std::string &word);

/// The text of a file with those that it includes. Errors: InputError for files that include themselves.
Scanner with_includes(const std::string &file);

/// A line of which something is not as the file says.
struct Remark
{
  std::size_t line;
  std::string what, text;
};

/// Cuts the file into keywords with their data; comments (**) and blank lines go. Remarks: lines that are left out (a lone `*`; `>**`
/// before the first keyword). `notes`: comments `** name: text`, as both words. `known`: names, which the file may write without their
/// blanks. Errors: InputError for lines of data behind a lone `*`.
std::vector<Keyword> keywords(Scanner &scanner, std::vector<Remark> &remarks, std::vector<Line> &notes,
                              const std::vector<std::string> &known);

/// Of a keyword that cannot be computed: why, and what to do instead, as the table in docs/inp.md; "" of others.
std::string way_out(const std::string &keyword);

/// InputError for a keyword that nothing reads: the way out, or the nearest of those that are known.
[[noreturn]] void refuse_unknown(const Scanner &scanner, const Keyword &keyword, const std::vector<std::string> &known);

/// InputError naming the option unless it is one of `known`.
void require_options(const Scanner &scanner, const Keyword &keyword, const std::set<std::string> &known);

/// An element type: its corners are the nodes of a cell; elements of second order have nodes between them.
struct ElementType
{
  Shape shape;
  MiddleNodes between = {};
  unsigned int nodes() const { return node_count(shape) + between.size(); }
};

/// The element type of a name such as C3D8R; InputError if it cannot be read.
ElementType element_type(const Scanner &scanner, const Keyword &keyword, const std::string &type);

/// Faces S1, S2, ... of the cells by their nodes as in the file (Abaqus Elements Guide, "Element faces").
extern const std::map<Shape, std::vector<std::vector<unsigned int>>> faces;
}  // namespace symdyn::abaqus
