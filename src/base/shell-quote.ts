/** Characters that no POSIX shell treats specially. */
const SAFE = /^[\w@%+=:,./-]+$/

export function isShellWord(text: string): boolean {
  return SAFE.test(text)
}

/**
 * A command line for a POSIX shell: every argument stays one argument, whatever is in it.
 *
 * @example
 * shellCommand(['run', 'my suite']) // run 'my suite'
 * @param width continues on another line where it gets longer than this
 */
export function shellCommand(args: readonly string[], width = Infinity): string {
  const lines: string[] = []
  let line = ''
  args.forEach((arg, i) => {
    const quoted = isShellWord(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`
    const isValue = i > 0 && args[i - 1]!.startsWith('-')
    const ahead = arg.startsWith('-') ? quoted.length + 1 + (args[i + 1]?.length ?? 0) : quoted.length
    // The last two columns are for the backslash.
    if (line !== '' && !isValue && line.length + 1 + ahead > width - 2) {
      lines.push(line)
      line = `  ${quoted}`
    } else line = line === '' ? quoted : `${line} ${quoted}`
  })
  return [...lines, line].join(' \\\n')
}
