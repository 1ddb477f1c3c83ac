/** Templates with {placeholders}. Nothing in them is executed, and values are not filled in again. */
const PLACEHOLDER = /\{\{|\}\}|\{([^{}\n]{1,200})\}/g

/** The names that a template needs. */
export function placeholders(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].flatMap(([, name]) => (name === undefined ? [] : [name])))]
}

export function isTemplate(text: string): boolean {
  return placeholders(text).length > 0
}

/** A placeholder without a value becomes empty: cells of a table may be. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (sign, name: string | undefined) => {
    if (name === undefined) return sign[0]!
    return Object.hasOwn(values, name) ? values[name]! : ''
  })
}
