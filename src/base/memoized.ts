/** Memoizes a function of an object; the value is garbage-collected with the object. */
export function memoized<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let known = cache.get(key)
    if (known === undefined) cache.set(key, (known = { value: compute(key) }))
    return known.value
  }
}
