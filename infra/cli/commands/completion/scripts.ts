export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each hands the words of the line to `faultline __complete`, the last one as far as it is typed. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_faultline() {
  local IFS=$'\\n'
  COMPREPLY=( $(faultline __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) )
}
complete -o default -o nosort -F _faultline faultline`,
  zsh: `#compdef faultline
_faultline() {
  local -a found
  found=(\${(f)"$(faultline __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _faultline faultline`,
  fish: `function __faultline_complete
  set -l before (commandline -opc)
  faultline __complete -- $before[2..-1] "$(commandline -ct)" 2>/dev/null
end
complete -c faultline -a '(__faultline_complete)'`,
};
