# Completion of sightline for bash, from version 3.2, which macOS has.
# To load it now: source <(sightline completion bash)
_sightline() {
  local line=${COMP_LINE:0:COMP_POINT} current prefix='' word
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=${words[${#words[@]}-1]}
  # Readline replaces only what follows the last = or :
  if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then prefix=${current%"${current##*=}"}; fi
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then prefix=${current%"${current##*:}"}; fi
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("${word#"$prefix"}")
  done < <("$1" completion bash -- "${words[@]:1}" 2>/dev/null)
  # More is to be typed after provider/ and key=
  if [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *[/=] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _sightline sightline
