import { REGISTER } from './format.ts'

/** A script that passes a value to the page. All JSON is valid JavaScript. */
export function dataScript(name: string, value: unknown): string {
  return `${REGISTER}(${JSON.stringify(name)},${JSON.stringify(value)})\n`
}
