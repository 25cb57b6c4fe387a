#pragma once

namespace symdyn
{
// The files of solver/pictures/page, which the build puts into the program (cmake/embed.cmake).
extern const char *const page_html, *const page_css, *const view_js, *const plots_js, *const page_js;
}  // namespace symdyn
