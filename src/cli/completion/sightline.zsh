#compdef sightline
# To load it now: source <(sightline completion zsh)
_sightline() {
  local -a found
  found=("${(@f)$("${(Q)words[1]}" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(${found:#})
  if (( ! ${#found} )); then
    _files
    return
  fi
  # More is to be typed after provider/ and key=
  compadd -S '' -- ${(M)found:#*[/=]}
  compadd -- ${found:#*[/=]}
}
if [[ $funcstack[1] == _sightline ]]; then
  _sightline "$@"
else
  compdef _sightline sightline
fi
