/** `-M header.NAME=value`: HTTP headers added to every request. Secrets are only named, as `$VARIABLE`. */
import { UserError } from '../../base/errors.ts'
import { OPEN_VARIABLES } from '../destinations.ts'

/** Headers that describe the request itself. */
const RESERVED = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'host',
  'connection',
  'transfer-encoding',
])
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible ASCII, spaces and tabs: no line breaks. */
const VALUE = /^[\t\x20-\x7e]*$/
const REFERENCE = /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g

const SECRET_NAME = /authori[sz]ation|cookie|secret|passw|credential|(^|-)(api-?)?key$|(^|-)token$|(^|-)auth$/i
/** Keys of well-known services, web tokens, and any long string without words. */
const SECRET_VALUE =
  /^(bearer|basic)\s+\S|(^|\s)(sk-|ghp_|gho_|hf_|xox|AKIA|AIza|eyJ)|(^|\s)(?=\S*\d)(?=\S*[a-z])[\w+/=.-]{32,}(\s|$)/i

/** Checks a header as typed. A secret must be a reference, because options are saved with the run. */
export function checkHeader(name: string, value: unknown): asserts value is string {
  if (!NAME.test(name)) throw new UserError(`-M header.${name}: not a valid HTTP header name.`)
  if (RESERVED.has(name.toLowerCase()))
    throw new UserError(`-M header.${name} is not allowed: Sightline sets this header.`)
  if (typeof value !== 'string' || !VALUE.test(value)) {
    throw new UserError(`-M header.${name}: the value must be one line of text.`)
  }
  const literal = value.replaceAll(REFERENCE, '')
  const isReference = literal !== value
  if ((SECRET_NAME.test(name) && !isReference) || SECRET_VALUE.test(literal)) {
    throw new UserError(`-M header.${name}: this looks like a secret, but options are saved with the run.`, {
      hint: `Put it in the environment or in .env, and refer to it: -M 'header.${name}=$MY_VARIABLE'`,
    })
  }
}

/** The environment variables that headers refer to. */
export function variablesIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap((text) =>
    [...text.matchAll(REFERENCE)].map(([, braced, plain]) => braced ?? plain ?? ''),
  )
}

/**
 * The headers as sent, names in lowercase, with the secrets in them.
 *
 * @param mayHold whether a variable may be sent; absent if the headers come from the user of this machine
 */
export function resolveHeaders(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
  mayHold: (variable: string) => boolean = () => true,
): { values: Record<string, string>; secrets: string[] } {
  const secrets: string[] = []
  const values = Object.entries(headers).map(([name, text]) => {
    const value = text.replaceAll(REFERENCE, (_, braced: string | undefined, plain: string | undefined) => {
      const variable = braced ?? plain ?? ''
      if (!mayHold(variable)) {
        throw new UserError(
          `-M header.${name} of this run refers to ${variable}, which nobody on this machine has named for its address.`,
          {
            hint: `Name it ${OPEN_VARIABLES}… on all machines; or, to resume a run that you trust, use --allow-base-url URL.`,
          },
        )
      }
      const found = env[variable]?.trim()
      if (!found) throw new UserError(`-M header.${name} refers to ${variable}, which is not set.`)
      if (!VALUE.test(found))
        throw new UserError(`${variable} cannot be sent in a header: it must be one line of ASCII.`)
      secrets.push(found)
      return found
    })
    return [name.toLowerCase(), value]
  })
  return { values: Object.fromEntries(values) as Record<string, string>, secrets }
}
