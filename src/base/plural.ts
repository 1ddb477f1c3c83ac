/**
 * A count with its noun.
 *
 * @example
 * plural(1, 'worker') // '1 worker'
 * plural(2000, 'slot') // '2,000 slots'
 */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
