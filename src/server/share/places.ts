/** A folder that is given away does not say where on this machine things were. */
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseSource } from '../../engine/source.ts'

/** Shortens the places of this machine in a text of JSON: the home folder becomes `~`, the others `…`. */
export function placesShortened(storeDir: string, source: string): (json: string) => string {
  const said = Object.values(parseSource(source).args).filter((place) => isAbsolute(place))
  const places = [
    ...[storeDir, process.cwd(), ...said].map((place) => [place, '…'] as const),
    [homedir(), '~'] as const,
  ]
    .filter(([place]) => place.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .map(([place, short]) => {
      const spelled = JSON.stringify(place)
        .slice(1, -1)
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return [new RegExp(`(?<![\\w./~…-])${spelled}(?![\\w.-])`, 'g'), short] as const
    })
  return (json) => places.reduce((text, [place, short]) => text.replace(place, short), json)
}
