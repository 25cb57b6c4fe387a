#include "solver/program/completion.h"

#include "solver/base/names.h"
#include "solver/deck/deck.h"
#include "solver/integrator.h"
#include "solver/registry.h"
#include "solver/run/run.h"

namespace symdyn
{
namespace
{
/// A section of a user's own name stands as <name>: the word in its place is taken as it is.
const char *const functions = R"bash(
# The parts of an entry's path, one after the other: "Integrator/", then "Integrator/newmark/", then "Integrator/newmark/beta=".
_symdyn_entry() {
  local cur=$1 head="" pattern="" entry rest part
  if [[ $cur == */* ]]; then
    head=${cur%/*}/
    local parts
    IFS=/ read -ra parts <<< "${cur%/*}"
    for part in "${parts[@]}"; do pattern+="@(${part//[()|*?\[\]]/?}|<name>)/"; done
  fi
  local restore; restore=$(shopt -p extglob); shopt -s extglob
  local -A seen=()
  for entry in "${_symdyn_entries[@]}"; do
    [[ $entry == $pattern* ]] || continue
    rest=${entry#$pattern}
    part=${rest%%/*}
    [[ $part != "<name>" && $part == "${cur##*/}"* ]] || continue
    if [[ $part == "$rest" ]]; then part=$head$part=; else part=$head$part/; fi
    [[ ${seen[$part]} ]] || COMPREPLY+=("$part")
    seen[$part]=1
  done
  $restore
}

# The entry of a path, whose sections of the user's own names stand as <name>.
_symdyn_known() {
  local entry i
  local -a given parts
  IFS=/ read -ra given <<< "$1"
  for entry in "$1" "${!_symdyn_choices[@]}"; do
    IFS=/ read -ra parts <<< "$entry"
    [[ ${_symdyn_choices[$entry]} && ${#parts[@]} == "${#given[@]}" ]] || continue
    for i in "${!parts[@]}"; do [[ ${parts[i]} == "<name>" || ${parts[i]} == "${given[i]}" ]] || continue 2; done
    REPLY=$entry
    return
  done
  REPLY=$1
}

# The choices of an entry, behind "prefix".
_symdyn_value() {
  local word REPLY
  _symdyn_known "$1"
  while IFS= read -r word; do
    [[ $word == "$2"* ]] && COMPREPLY+=("$3$word")
  done <<< "${_symdyn_choices[$REPLY]//, /$'\n'}"
}

_symdyn_setting() {
  local cur=$1
  compopt -o filenames -o nospace 2> /dev/null
  if [[ $cur == *=* ]]; then _symdyn_value "${cur%%=*}" "${cur#*=}" "${cur%%=*}="; else _symdyn_entry "$cur"; fi
}

_symdyn() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} word
  COMPREPLY=()
  cur=${cur#[\"\']}
  cur=${cur//\\/}
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "${!_symdyn_options[*]} --help --version" -- "$cur"))
    return
  fi
  # readline parts words at =
  if (( COMP_CWORD > 3 )) && [[ $prev == = && ${COMP_WORDS[COMP_CWORD-3]} == --@(set|vary) ]]; then
    word=${COMP_WORDS[COMP_CWORD-2]//\\/}
    _symdyn_value "${word#[\"\']}" "$cur" ""
    return
  fi
  if (( COMP_CWORD > 2 )) && [[ $cur == = && ${COMP_WORDS[COMP_CWORD-2]} == --@(set|vary) ]]; then
    word=${prev//\\/}
    _symdyn_value "${word#[\"\']}" "" ""
    return
  fi
  case $prev in
    --set|--vary) _symdyn_setting "$cur"; return ;;
    --scheme) COMPREPLY=($(compgen -W "all $_symdyn_schemes" -- "$cur")); return ;;
    --color) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    --stage) COMPREPLY=($(compgen -W "static dynamic modes" -- "$cur")); return ;;
    completion) COMPREPLY=($(compgen -W "bash" -- "$cur")); return ;;
  esac
  if [[ $cur == -* ]]; then
    if [[ -z ${_symdyn_options[$command]} ]]; then
      _symdyn_options[$command]=$("${COMP_WORDS[0]}" "$command" --help 2> /dev/null | grep -oE -- '--[a-zA-Z][a-zA-Z-]*' | sort -u | tr '\n' ' ')
    fi
    COMPREPLY=($(compgen -W "${_symdyn_options[$command]} --help" -- "$cur"))
    return
  fi
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
}
complete -F _symdyn symdyn
)bash";

/// In single quotes of a shell.
std::string quoted(const std::string &text)
{
  std::string all = "'";
  for (const char c : text)
    all += c == '\'' ? "'\\''" : std::string(1, c);
  return all + "'";
}
}  // namespace

std::string bash_completion(const std::map<std::string, std::vector<std::string>> &commands)
{
  std::string text =
      "# Completion of symdyn in bash, written by `symdyn completion bash`. Use: source <(symdyn completion bash)\ndeclare -gA _symdyn_options=(\n";
  for (const auto &[command, options] : commands)
    text += "  [" + command + "]=" + quoted(join(options, " ")) + "\n";
  text += ")\n_symdyn_schemes=" + quoted(join(Registry<Integrator>::instance().names(), " ")) + "\ndeclare -ga _symdyn_entries=(\n";
  Deck deck;
  Run::document(deck.root());
  std::string choices;
  const std::string one_of = "one of ";
  for (const Declaration &entry : deck.declarations())
  {
    const std::string path = (entry.path.empty() ? "" : entry.path + "/") + entry.name;
    text += "  " + quoted(path) + "\n";
    if (entry.rule.rfind(one_of, 0) == 0)
      choices += "  [" + quoted(path) + "]=" + quoted(entry.rule.substr(one_of.size())) + "\n";
  }
  return text + ")\ndeclare -gA _symdyn_choices=(\n" + choices + ")\n" + functions;
}
}  // namespace symdyn
