#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// What `symdyn new` is to write.
struct NewDeck
{
  std::string name;              ///< with the ending .prm or without
  std::string from;              ///< a mesh file, from the working folder; "": a beam of the deck's own
  std::string stage = "static";  ///< static, dynamic or modes; of a mesh
  bool slurm = false;            ///< also NAME.slurm, a job of Slurm that runs the deck, and goes on from its checkpoint
};

/// Writes a commented deck to start from and returns the names of its files. Of a mesh file: with its boundaries, a material for each of
/// its groups, a support and a load on boundaries that are far from each other. Errors: InputError if the file exists or cannot be written,
/// and for a mesh that cannot be read, or names no boundary.
std::vector<std::string> write_new_deck(const NewDeck &wanted);
}  // namespace symdyn
