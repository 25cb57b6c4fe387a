#pragma once

namespace symdyn
{
struct Analysis;
class Stage;

/// Errors: InputError on several ranks, and for a body whose force is no smooth function of its place: laws with a memory, exact
/// constraints, contact, a frame that turns, loads that follow.
void require_smooth_body(const Analysis &analysis, const Stage &stage);
}  // namespace symdyn
