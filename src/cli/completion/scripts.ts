import type { Shell } from './complete.ts';

/**
 * Bash 3.2, which macOS has, knows neither `mapfile` nor `compopt`; there, files are not completed. All ask the `ravel` of
 * the path: a Tab after `./ravel` must not start what a cloned folder has under that name.
 */
const bash = `# Completions of ravel for bash.
#
# Install:  ravel completion bash > ~/.local/share/bash-completion/completions/ravel
#   or add to ~/.bashrc:  eval "$(ravel completion bash)"

_ravel() {
  local line first word
  COMPREPLY=()
  {
    IFS= read -r first
    while IFS= read -r line; do COMPREPLY+=("$line"); done
  } < <(command ravel complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  word="\${COMP_WORDS[COMP_CWORD]}"
  case "$first" in
    files) compopt -o default 2>/dev/null ;;
    folders)
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$word")
      ;;
    *) [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}
complete -o nosort -F _ravel ravel 2>/dev/null || complete -F _ravel ravel
`;

const zsh = `#compdef ravel
# Completions of ravel for zsh.
#
# Install:  ravel completion zsh > "\${fpath[1]}/_ravel"
#   or add to ~/.zshrc, after compinit:  eval "$(ravel completion zsh)"

_ravel() {
  local -a answer values shown steps
  local line first
  answer=("\${(@f)$(command ravel complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  first="\${answer[1]}"
  for line in "\${(@)answer[2,-1]}"; do
    [[ -n "$line" ]] || continue
    if [[ "$line" == */ ]]; then
      steps+=("$line")
    else
      values+=("\${line%%$'\\t'*}")
      shown+=("\${line/$'\\t'/  -- }")
    fi
  done
  case "$first" in
    files) _files ;;
    folders) _files -/ ;;
    *)
      (( \${#values} )) && compadd -l -d shown -- "\${(@)values}"
      (( \${#steps} )) && compadd -S '' -- "\${(@)steps}"
      ;;
  esac
  return 0
}

if [[ "\${funcstack[1]}" == _ravel ]]; then
  _ravel "$@"
else
  compdef _ravel ravel
fi
`;

const fish = `# Completions of ravel for fish.
#
# Install:  ravel completion fish > ~/.config/fish/completions/ravel.fish

function __ravel_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    set -l answer (command ravel complete fish $words "$word" 2>/dev/null)
    set -l first $answer[1]
    set -e answer[1]
    switch "$first"
        case files
            __fish_complete_path "$word"
        case folders
            __fish_complete_directories "$word"
        case '*'
            test (count $answer) -gt 0; and printf '%s\\n' $answer
    end
end

complete -c ravel -f -a '(__ravel_complete)'
`;

/** What a shell reads once to complete the command line: it asks the program itself at each key. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
