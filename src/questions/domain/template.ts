/** Templates with {placeholders}. Nothing in them is executed, and values are not filled in again. */
const PLACEHOLDER = /\{\{|\}\}|\{([^{}\n]{1,200})\}/g

/** Names by template: the same few templates are filled in for every row. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 1000

/** The names that a template needs. */
export function placeholders(template: string): readonly string[] {
  const found = known.get(template)
  if (found) return found
  const names = [
    ...new Set([...template.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name]))),
  ]
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(template, names)
  return names
}

/** A placeholder without a value becomes empty: cells of a table may be. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (sign, name: string | undefined) => {
    if (name === undefined) return sign[0]!
    return Object.hasOwn(values, name) ? values[name]! : ''
  })
}
