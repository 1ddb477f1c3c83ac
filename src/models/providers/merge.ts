import { isObject } from '../../base/json-object.ts'

/** Deep-merges user-defined fields into a request body: objects are merged, everything else is replaced. */
export function mergeInto(base: Record<string, unknown>, extra: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(extra)) {
    const present = Object.hasOwn(base, key) ? base[key] : undefined
    if (isObject(present) && isObject(value)) mergeInto(present, value)
    else Object.defineProperty(base, key, { value, enumerable: true, writable: true, configurable: true })
  }
}
