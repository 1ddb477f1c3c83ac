/** A function that makes its value once for each object, and forgets it with the object. */
export function memoized<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let known = made.get(key)
    if (known === undefined) made.set(key, (known = { value: make(key) }))
    return known.value
  }
}
