/** Options renamed in version 0.2. The old names work until 0.3, with a note on stderr. */

const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run: { '--on': '--queue' },
  resume: { '--on': '--queue' },
  list: { '--cases': '--samples' },
  'scene show': { '--film': '--video', '--doll-house': '--dollhouse' },
  'vbench plan': { '--suite': '--prompts' },
  'vbench sample': { '--suite': '--prompts', '--out': '--output' },
  'vbench check': { '--suite': '--prompts' },
  'vbench score': { '--suite': '--prompts', '--out': '--output' },
}

/** The arguments with current names, and a note for each old name. */
export function withNewNames(args: readonly string[]): { args: string[]; notes: string[] } {
  const names = RENAMED[args.slice(0, 2).join(' ')] ?? RENAMED[args[0] ?? ''] ?? {}
  const notes: string[] = []
  const renamed = args.map((arg) => {
    const [, name = '', value = ''] = /^(--[\w-]+)(=.*)?$/s.exec(arg) ?? []
    const current = names[name]
    if (current === undefined) return arg
    notes.push(`${name} is now ${current}; the old name will be removed in 0.3.`)
    return current + value
  })
  return { args: renamed, notes }
}
