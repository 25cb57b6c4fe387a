#pragma once

namespace symdyn::abaqus
{
struct Job;

/// Cuts the file into what stands outside of the steps, and the steps.
void sort_keywords(Job &job);
/// Of loads that stand on several sectors of a cyclic model those of the first one are left. Errors: InputError where others differ.
void find_loaded_sectors(Job &job);
/// Errors: InputError for keywords that nothing reads where they stand.
void refuse_misplaced(const Job &job);
}  // namespace symdyn::abaqus
