#pragma once
#include <cstdio>
#include <fstream>
#include <string>

#include "solver/base/terminal.h"

namespace symdyn
{
/// The log of the run: every line goes to the log file; with `terminal`, to the terminal too (rank 0 only).
class Log
{
public:
  static Log &instance();
  /// Opens the file, or goes on with it; lines logged before are kept and written then.
  void open(const std::string &file, bool go_on = false);
  void close();
  void quiet(bool yes) { is_quiet = yes; }
  /// Of commands whose answer goes to the standard output: lines go to the standard error.
  void use_standard_error() { terminal_file = stderr; }
  bool is_silent() const { return is_quiet; }
  /// `paint`: of the text up to its first colon, on the terminal.
  void line(const std::string &text, bool terminal, Paint paint = Paint::none);
  void warning(const std::string &text);
  const std::string &last_warning() const { return warned; }
  /// Replaces the line in progress on a terminal; elsewhere prints plain lines, at most one in `seconds`.
  bool progress_is_due() const;
  void progress(const std::string &text, bool last = false);

private:
  Log();
  void end_progress();
  std::ofstream file;
  std::string before_open, warned;
  std::FILE *terminal_file = stdout;
  bool is_quiet = false, is_terminal = false, in_progress = false, is_root = true;
  double last_progress = -1e300;
};

/// To the log file and, unless --quiet, the terminal.
void log_line(const std::string &text);
/// To the log file alone: histories that fill pages.
void log_detail(const std::string &text);
/// The verdict of a run, as log_line(), with its first word in this colour.
void log_verdict(const std::string &text, Paint paint);
/// "warning: ..." on the terminal even with --quiet.
void log_warning(const std::string &text);
}  // namespace symdyn
