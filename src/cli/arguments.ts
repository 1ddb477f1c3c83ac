import { InvalidArgumentError } from 'commander'

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** For options like `-T key=value`, repeated. */
export function keyValues(value: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const equals = value.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('Expected key=value.')
  return { ...before, [value.slice(0, equals)]: value.slice(equals + 1) }
}
