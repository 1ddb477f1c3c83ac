import { REGISTER } from './format.ts'

/** A script that hands a value to the page. JSON is JavaScript, whatever is in it. */
export function dataScript(name: string, value: unknown): string {
  return `${REGISTER}(${JSON.stringify(name)},${JSON.stringify(value)})\n`
}
