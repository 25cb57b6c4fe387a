#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// Of "x y; x y; ...": rows of `count` numbers. Errors: InputError "corner 2 is '1 x': it needs 2 numbers, ...", where `row` is "corner",
/// `numbers` what they are.
std::vector<std::vector<double>> rows_of_numbers(const std::string &text, std::size_t count, const std::string &row,
                                                 const std::string &numbers);
}  // namespace symdyn
