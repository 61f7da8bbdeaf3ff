// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "base/text.h"
#include "program/commands/checked_options.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"

namespace flitmend {
namespace {

/// The part of the script that does not depend on the program. It uses generated parts:
///   _flitmend_command COMMAND  sets `commands`, `options`, `positionals` (KINDs) and `values`, the latter as
///                              " --option=KIND --option=KIND "
///   _flitmend_keys             the keys of a configuration
///   _flitmend_words KEY        prints the words that a key accepts
/// A KIND is @file, @folder, @setting, words joined by commas, or empty.
constexpr const char* kScript = R"bash(
# _flitmend_reply KIND PREFIX: fills COMPREPLY.
_flitmend_reply() {
  local key
  case $1 in
    @file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    @folder)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    @setting)
      key=${2%%=*}
      if [[ $2 == *=* ]]; then
        mapfile -t COMPREPLY < <(compgen -P "$key=" -W "$(_flitmend_words "$key")" -- "${2#*=}")
      else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W "$_flitmend_keys" -- "$2")
      fi ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "${1//,/ }" -- "$2") ;;
  esac
}

_flitmend() {
  local words=() word current option='' kind i command='' commands options values positionals
  COMPREPLY=()
  # bash splits words at = and :, which are part of words here.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ $word == [=:]* || ${words[-1]} == *[=:] ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  ((${#words[@]})) || return
  current=${words[-1]}
  unset 'words[-1]'

  _flitmend_command ''
  for word in "${words[@]}"; do
    if [[ $option ]]; then
      option=''
    elif [[ $word == -* ]]; then
      if [[ $values == *" $word="* ]]; then option=$word; fi
    elif [[ " $commands " == *" $word "* ]]; then
      command+=${command:+ }$word
      _flitmend_command "$command"
    fi
  done

  local before=''
  if [[ ! $option && $current == --*=* ]]; then
    option=${current%%=*}
    before=$option=
    current=${current#*=}
  fi
  if [[ $option ]]; then
    if [[ $values == *" $option="* ]]; then
      kind=${values#*" $option="}
      _flitmend_reply "${kind%% *}" "$current"
    fi
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
  elif [[ $current == -* ]]; then
    _flitmend_reply "${options// /,}" "$current"
  elif [[ $commands ]]; then
    _flitmend_reply "${commands// /,}" "$current"
  else
    for kind in $positionals; do _flitmend_reply "$kind" "$current"; done
  fi

  # If bash splits words at = or :, it replaces only the part after the last one.
  if [[ $COMP_WORDBREAKS == *=* && $before$current == *=* ]]; then
    word=$before$current
    word=${word%=*}=
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
  fi
}

complete -F _flitmend flitmend
)bash";

/// The KIND of a value: "@file", "@folder", "@setting", words joined by commas, or "" for anything else.
std::string kind_of(const std::string& type) {
  if (type == "FILE" || type == "CONFIG" || type == "GRAPH" || type == "SWEEP" || type == "STUDY" ||
      type == "CAMPAIGN")
    return "@file";
  if (type == "DIR") return "@folder";
  if (type == "KEY=VALUE") return "@setting";
  if (type.size() < 2 || type.front() != '{' || type.back() != '}') return "";
  std::string words = type.substr(1, type.size() - 2);
  std::erase(words, ' ');
  return words;
}

struct Described {
  std::vector<std::string> commands, options, positionals;
  std::string values = " ";  ///< " --option=KIND --option=KIND "
};

Described describe(const CLI::App& app) {
  Described d;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) d.commands.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    const std::string kind = kind_of(option->get_type_name());
    if (option->get_positional()) {
      const std::string positional = kind.empty() ? kind_of(option->get_name()) : kind;
      if (!positional.empty()) d.positionals.push_back(positional);
      continue;
    }
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    d.options.insert(d.options.end(), names.begin(), names.end());
    if (option->get_items_expected_max() == 0) continue;
    for (const std::string& name : names) d.values += name + "=" + kind + " ";
  }
  return d;
}

/// A branch of `case` for the command with that path and for each of its subcommands.
std::string branches(const CLI::App& app, const std::string& path) {
  const Described d = describe(app);
  std::string text = "    '" + path + "')\n      commands='" + joined(d.commands, " ") +
                     "'\n      options='" + joined(d.options, " ") + "'\n      values='" + d.values +
                     "'\n      positionals='" + joined(d.positionals, " ") + "' ;;\n";
  for (const std::string& name : d.commands)
    text += branches(*app.get_subcommand(name), path + (path.empty() ? "" : " ") + name);
  return text;
}

std::string bash_completion(const CLI::App& program) {
  std::string text = "# Completion of flitmend for bash, printed by: flitmend completion bash\n\n";
  text += "_flitmend_command() {\n  case $1 in\n" + branches(program, "") + "  esac\n}\n\n";

  std::string keys, words;
  for (const DeclaredSection& section : declarations(Configuration()))
    for (const DeclaredKey& key : section.keys) {
      keys += (keys.empty() ? "" : " ") + key.path;
      std::vector<std::string> choices;
      for (const Choice& choice : key.choices) choices.emplace_back(choice.name);
      if (key.allowed == "true, false") choices = {"true", "false"};
      if (!choices.empty()) words += "    " + key.path + ") echo '" + joined(choices, " ") + "' ;;\n";
    }
  text += "_flitmend_keys='" + keys + "'\n_flitmend_words() {\n  case $1 in\n" + words + "  esac\n}\n";
  return text + kScript;
}

}  // namespace

void add_completion(CLI::App& program, Command& command) {
  CLI::App* completion = program.add_subcommand(
      "completion", "Print a script that completes commands, options and keys in a shell.");
  const auto shell = std::make_shared<std::string>();
  add_word(*completion, "SHELL", *shell, {"bash"}, "The shell.")->required();
  completion->callback([&program, shell, &command] { command.out << bash_completion(program); });
}

}  // namespace flitmend
