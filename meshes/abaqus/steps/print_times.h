#pragma once
#include <string>

#include "meshes/abaqus/model.h"

namespace symdyn::abaqus
{
struct Job;
struct Step;

/// Of vibration, or of buckling.
bool has_forms(const Step &step);
/// Whether FREQUENCY leaves a table. Errors: InputError.
bool is_printed(Job &job, const Keyword &card);
/// Totals of a table, and when it is written.
void write_print_times(Job &job, const Keyword &card, const Step &step, const std::string &path);

/// *CONTACT PRINT of a step. False: there is nothing to print.
bool write_contact_print(Job &job, const Keyword &card, const Step &step);
/// Dependent surfaces of all *CONTACT PAIRs, whose faces have numbers in tables.
void name_faces_of_contacts(Model &model);
}  // namespace symdyn::abaqus
