/** Puts a user's own request fields over a request body, objects into objects, everything else replaced. */
export function mergeInto(base: Record<string, unknown>, extra: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(extra)) {
    const present = Object.hasOwn(base, key) ? base[key] : undefined
    if (isRecord(present) && isRecord(value)) mergeInto(present, value)
    else Object.defineProperty(base, key, { value, enumerable: true, writable: true, configurable: true })
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
