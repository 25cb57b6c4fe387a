#pragma once
#include <cstddef>
#include <string>

namespace symdyn::abaqus
{
struct Job;
struct Keyword;
struct Line;

/// The boundary that a *SURFACE has become, which this word of a line of data names: of element faces, or all faces between its nodes, or,
/// of nodes alone, their set. Errors: InputError at the line.
std::string boundary_of(const Job &job, const Keyword &card, const Line &line, std::size_t word, bool of_nodes_alone = false);

/// Errors: InputError, where the card has no data.
void require_lines(const Job &job, const Keyword &card);

/// The group of beams that a *SURFACE of them has become; "": the word names none.
std::string beams_of(const Job &job, const std::string &surface);

/// The name of a boundary that touches: of shells that of the faces of one side or of both. Errors: InputError for edges, where they are
/// some of each side, and beside faces of solids.
std::string side_of(const Job &job, const Line &line, const std::string &boundary);
}  // namespace symdyn::abaqus
