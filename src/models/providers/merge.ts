import { isObject } from '../../base/json-object.ts'

/** Puts a user's own request fields over a request body, objects into objects, everything else replaced. */
export function mergeInto(base: Record<string, unknown>, extra: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(extra)) {
    const present = Object.hasOwn(base, key) ? base[key] : undefined
    if (isObject(present) && isObject(value)) mergeInto(present, value)
    else Object.defineProperty(base, key, { value, enumerable: true, writable: true, configurable: true })
  }
}
