/** WebDataset: tar files whose entries with the same name up to the first dot are one example. */
import { mediaIn } from '../../models/types.ts'
import { writtenOut } from './example.ts'
import type { FormatOf } from './format.ts'
import { isVideo, mediaFile } from './media-file.ts'

const BLOCK = 512
/** A name in a tar file has 100 bytes: the number of a picture and the ending follow the key. */
const MAX_KEY = 84

export const webDataset: FormatOf = {
  file: (number) => `train-${number}.tar`,
  pattern: 'train-*.tar',
  hasImageFiles: false,
  encode(examples, media) {
    const blocks: Uint8Array[] = []
    for (const { id, messages, reply, ...rest } of examples) {
      const key = id.replaceAll(/[^\w-]/g, '_').slice(-MAX_KEY)
      for (const [i, ref] of mediaIn(messages).entries()) {
        const bytes = media.get(ref.sha256)!
        blocks.push(...entry(`${key}.${i}.${mediaFile(ref).split('.').at(-1)}`, bytes))
      }
      const written = messages.map((message) => ({
        role: message.role,
        content: writtenOut(message, (ref) => (isVideo(ref) ? '<video>' : '<image>')),
      }))
      const json = { id, messages: [...written, { role: 'assistant', content: reply }], ...rest }
      blocks.push(...entry(`${key}.json`, Buffer.from(JSON.stringify(json))))
    }
    return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)])
  },
}

/** An entry in the format of POSIX 1003.1-1988 (ustar). */
function entry(name: string, bytes: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`
  const fields: readonly [offset: number, text: string][] = [
    [0, name],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(bytes.length, 11)],
    [136, octal(0, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ]
  for (const [offset, text] of fields) header.write(text, offset, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return [header, bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)]
}
