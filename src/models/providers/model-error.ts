/** The error of a request that failed for good, with advice. */
import { trimFullStop } from '../../base/errors.ts'
import type { Redact } from '../secrets.ts'
import { ModelError } from '../types.ts'
import type { Failure } from './failure.ts'

/** Error messages go into a log line; some servers return a page of HTML. */
const MAX_MESSAGE_LENGTH = 600
const MAX_HTML_LENGTH = 200
const HTML = /<(?:!doctype|html|head|body)\b/i

export interface ErrorSettings {
  id: string
  redact: Redact
  /** Environment variable for the API key, for hints. */
  keyName: string
  /** What sets the base URL, for hints: `VLLM_BASE_URL` or `-M base_url=http://localhost:8000/v1`. */
  baseUrlSetting: string
}

export function modelError(
  settings: ErrorSettings,
  { url }: { url: string },
  failure: Failure,
  attempts: number,
): ModelError {
  // Redacted before it is truncated: part of a key would not be recognized.
  const message = trimFullStop(settings.redact(failure.message))
  const limit = HTML.test(message) ? MAX_HTML_LENGTH : MAX_MESSAGE_LENGTH
  const short = message.length > limit ? `${message.slice(0, limit)}…` : message
  const tries = attempts > 1 ? ` (after ${attempts} attempts)` : ''
  const hint = failure.hint ?? hintFor(settings, failure)
  const { host } = new URL(url)
  const text = `${settings.id} at ${host}: ${short}${tries}.${hint === undefined ? '' : ` ${hint}`}`
  return new ModelError(failure.kind, text, attempts, { fatal: failure.fatal === true })
}

/** Advice that names the settings to check. */
function hintFor({ keyName, baseUrlSetting }: ErrorSettings, { kind, status }: Failure): string | undefined {
  if (kind === 'auth') return `Check ${keyName} and its permissions.`
  if (kind === 'rate-limit') return 'Lower --max-connections or set --requests-per-minute.'
  if (kind === 'network') return `Check that the server is reachable and that ${baseUrlSetting} is correct.`
  return status === 404 ? `Check the model name and ${baseUrlSetting}.` : undefined
}
