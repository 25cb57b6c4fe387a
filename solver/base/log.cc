#include "solver/base/log.h"

#include <deal.II/base/mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "solver/base/timer.h"
#include "solver/base/warning_list.h"

namespace symdyn
{
namespace
{
constexpr double plain_progress_interval = 10.;  // [s], where the line cannot be replaced
constexpr double terminal_progress_interval = 0.1;
WarningList *taker = nullptr;
}  // namespace

Log::Log()
    : is_terminal(isatty(STDOUT_FILENO) && !std::getenv("OMPI_COMM_WORLD_SIZE")),
      is_root(dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
{
}

Log &Log::instance()
{
  static Log log;
  return log;
}

void Log::open(const std::string &name, const bool go_on)
{
  if (!is_root)
    return;
  if (file.is_open())
    file.close();
  file.open(name, go_on ? std::ios::app : std::ios::out);
  file << before_open << std::flush;
  before_open.clear();
}

void Log::close()
{
  file.close();
  warned.clear();
}

void Log::line(const std::string &text, const bool terminal, const Paint paint)
{
  if (!is_root)
    return;
  if (file.is_open())
  {
    file << text << '\n';
    if (terminal)
      file.flush();  // details, a line a step, may wait
  }
  else
    before_open += text + "\n";
  if (terminal)
  {
    end_progress();
    const std::size_t head = std::min(text.find(':'), text.size());
    std::fprintf(terminal_file, "%s%s\n", painted(text.substr(0, head), paint, terminal_file).c_str(), text.c_str() + head);
    std::fflush(terminal_file);
  }
}

void Log::warning(const std::string &text)
{
  warned = text;
  line("warning: " + text, true, Paint::yellow);
}

void Log::end_progress()
{
  if (in_progress)
    std::puts("");
  in_progress = false;
}

bool Log::progress_is_due() const
{
  return is_root && !is_quiet && ScopedTimer::now() - last_progress >= (is_terminal ? terminal_progress_interval : plain_progress_interval);
}

void Log::progress(const std::string &text, const bool last)
{
  if (!is_root || is_quiet)
    return;
  if (!last && !progress_is_due())
    return;
  last_progress = ScopedTimer::now();
  if (is_terminal)
    std::printf("\r\033[K%s", text.c_str());
  else
    std::puts(text.c_str());
  in_progress = is_terminal;
  std::fflush(stdout);
  if (last)
    end_progress();
}

void log_line(const std::string &text)
{
  Log &log = Log::instance();
  log.line(text, !log.is_silent());
}
void log_verdict(const std::string &text, const Paint paint)
{
  Log &log = Log::instance();
  log.line(text, !log.is_silent(), paint);
}
void log_detail(const std::string &text) { Log::instance().line(text, false); }
void log_warning(const std::string &text)
{
  Log::instance().warning(text);
  if (taker)
    taker->texts.push_back(text);
}

WarningList::WarningList() : around(taker) { taker = this; }
WarningList::~WarningList() { taker = around; }
}  // namespace symdyn
