/** Options that version 0.2 renamed. The old names work until 0.3, with a note on standard error. */

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

/** The arguments with today's names, and a note for each old one among them. */
export function withNewNames(args: readonly string[]): { args: string[]; notes: string[] } {
  const names = RENAMED[args.slice(0, 2).join(' ')] ?? RENAMED[args[0] ?? ''] ?? {}
  const notes: string[] = []
  const renamed = args.map((arg) => {
    const [, name = '', value = ''] = /^(--[\w-]+)(=.*)?$/s.exec(arg) ?? []
    const now = names[name]
    if (now === undefined) return arg
    notes.push(`${name} is now ${now}; the old name will be removed in 0.3.`)
    return now + value
  })
  return { args: renamed, notes }
}
