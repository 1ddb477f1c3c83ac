/** Removes what belongs to this machine and its network from exported data. */
import { homedir, hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseSource } from '../../engine/source.ts'
import { PROVIDERS } from '../../models/providers/providers.ts'
import { addressesOf, withoutAddresses } from '../../report/addresses.ts'
import type { RunHeader } from '../../store/records.ts'

/** Reveals nothing. */
const LOOPBACK = /^(127\.0\.0\.1|\[::1\])$/
/** Stands for what was removed. */
const REMOVED = '…'

export interface Redaction {
  /** For JSON text: the home folder becomes `~`; other paths, base URLs and their hosts become `…`. */
  json(text: string): string
  /** The same for a value. */
  value<T>(value: T): T
  /** Also without the options that name addresses. */
  header(header: RunHeader): RunHeader
}

/** @param keepAddresses removes paths only */
export function redaction(storeDir: string, header: RunHeader, keepAddresses = false): Redaction {
  const json = redactor(storeDir, header, keepAddresses)
  const value = <T>(given: T): T => JSON.parse(json(JSON.stringify(given))) as T
  return {
    json,
    value,
    header(given) {
      if (keepAddresses) return value(given)
      const { modelOptions, fingerprint } = given
      const parts = withoutAddresses(fingerprint.parts)
      return value({
        ...given,
        modelOptions: withoutAddresses(modelOptions),
        fingerprint: { ...fingerprint, parts },
      })
    },
  }
}

function redactor(storeDir: string, header: RunHeader, keepAddresses: boolean): (json: string) => string {
  const sourcePaths = Object.values(parseSource(header.source).args).filter((path) => isAbsolute(path))
  const hidden = [
    ...[storeDir, process.cwd(), ...sourcePaths].map((path) => [path, REMOVED] as const),
    [homedir(), '~'] as const,
    ...(keepAddresses ? [] : addressTexts(header).map((text) => [text, REMOVED] as const)),
  ]
  const patterns = hidden
    .filter(([text]) => text.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .map(([text, short]) => {
      const escaped = JSON.stringify(text)
        .slice(1, -1)
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return [new RegExp(`(?<![\\w./~…-])${escaped}(?![\\w-]|\\.\\w)`, 'g'), short] as const
    })
  return (json) => patterns.reduce((text, [pattern, short]) => text.replace(pattern, short), json)
}

/** Base URLs of this run and of the environment with their hosts, as errors quote them, and the name of this machine. */
function addressTexts(header: RunHeader): string[] {
  const fromEnvironment = PROVIDERS.map(({ baseUrlName }) => process.env[baseUrlName]?.trim() ?? '')
  const given = [...addressesOf(header), ...fromEnvironment].flatMap((text) => text.split(','))
  const texts = given.flatMap((text) => {
    if (!URL.canParse(text)) return []
    const { origin, host, hostname: name } = new URL(text)
    return [text.replace(/\/+$/, ''), origin, host, name]
  })
  // A name such as `models` could be any word.
  return [...texts, hostname()].filter((text) => /[.:\d]/.test(text) && !LOOPBACK.test(text))
}
