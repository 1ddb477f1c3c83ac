/** Names of video files: from prompt and index to a name, and back. */
import { sha256 } from '../../../suite.ts'

/** What file systems allow in a name, in bytes of UTF-8. */
const MAX_NAME_LENGTH = 255
/** Room for `-`, an index of up to four digits and an ending. */
const MAX_PROMPT_LENGTH = MAX_NAME_LENGTH - 12

/** `$prompt-$index.mp4`: the name that the protocol asks for. Only safe as a path when `nameProblem` finds nothing. */
export function officialName(prompt: string, index: number, extension = '.mp4'): string {
  return `${prompt}-${index}${extension}`
}

/** Characters that end or split a path, or that no terminal should see; a colon and others are refused by Windows. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const NOT_IN_NAMES = /[/\\:*?"<>|\u0000-\u001f\u007f]/u

/** Why a prompt cannot be a file's name everywhere; null when it can. */
export function nameProblem(prompt: string): string | null {
  const found = NOT_IN_NAMES.exec(prompt)?.[0]
  if (found !== undefined) {
    if (found === '/' || found === '\\') return `has a ${found}, which would leave the folder`
    return found < ' ' || found === '\u007f'
      ? 'has a line break or another control character'
      : `has a ${found}, which not every file system allows`
  }
  if (prompt.trim() === '') return 'is empty'
  if (/^\.{1,2}$/.test(prompt) || prompt.startsWith('.')) return 'begins with a full stop: the file would be hidden'
  if (/\p{Surrogate}/u.test(prompt)) return 'is not valid Unicode'
  const bytes = Buffer.byteLength(prompt, 'utf8')
  if (bytes > MAX_PROMPT_LENGTH) return `has ${bytes} bytes, more than a file's name may have`
  return null
}

/** A name that is safe everywhere and that no two prompts share: some readable words, then a hash of the whole prompt. */
export function safeName(prompt: string, index: number, extension = '.mp4'): string {
  const words = prompt
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9 ]+/g, ' ')
    .trim()
    .replaceAll(/ +/g, '_')
    .slice(0, 60)
  return `${words === '' ? 'prompt' : words}~${sha256(prompt.normalize('NFC')).slice(0, 12)}-${index}${extension}`
}

/** What two names have in common on file systems that ignore case and the spelling of accents. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Python's `Path(path).name`. */
function baseName(path: string): string {
  return path.split('/').findLast((part) => part !== '' && part !== '.') ?? ''
}

/** The ending with its full stop, as Python's `Path.suffix`: hidden files and names that end with a stop have none. */
export function suffixOf(path: string): string {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 && dot < name.length - 1 ? name.slice(dot) : ''
}

/** The name without its ending, as Python's `Path.stem`. */
export function stemOf(path: string): string {
  const name = baseName(path)
  return name.slice(0, name.length - suffixOf(path).length)
}

/** The prompt as the published evaluator reads it from a name: one `-<digits>` at the end is cut off. */
export function promptOfFile(path: string): string {
  return stemOf(path).replace(/-\p{Nd}+(?=\n?$)/u, '')
}

/** Prompt and index of an official name; null without an index. `-00` does not count as one. */
export function parseOfficial(name: string): { prompt: string; index: number; extension: string } | null {
  const parts = /^(.*)-(0|[1-9]\d{0,5})$/su.exec(stemOf(name))
  if (!parts) return null
  return { prompt: parts[1]!.normalize('NFC'), index: Number(parts[2]), extension: suffixOf(name) }
}
