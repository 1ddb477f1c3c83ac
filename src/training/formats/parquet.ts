/** Parquet as Hugging Face `datasets` reads it: messages as chat, pictures as bytes. */
import { mediaIn } from '../../models/types.ts'
import { writtenOut } from './example.ts'
import type { FormatOf } from './format.ts'
import { isImage, isVideo, mediaFile } from './media-file.ts'

type Writer = typeof import('hyparquet-writer')
type Schema = NonNullable<Parameters<Writer['parquetWriteBuffer']>[0]['schema']>

const text = (name: string): Schema[number] => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
})
const listOf = (name: string, fields: Schema): Schema => [
  { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', num_children: fields.length },
  ...fields,
]
const file: Schema = [{ name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }, text('path')]
const turn: Schema = [text('role'), text('content')]
const COLUMNS: Readonly<Record<string, Schema>> = {
  id: [text('id')],
  type: [text('type')],
  level: [text('level')],
  prompt: listOf('prompt', turn),
  completion: [text('completion')],
  rejected: [text('rejected')],
  images: listOf('images', file),
  videos: listOf('videos', file),
  reward: [{ name: 'reward', type: 'DOUBLE', repetition_type: 'OPTIONAL' }],
}
const SCHEMA: Schema = [{ name: 'schema', num_children: Object.keys(COLUMNS).length }, ...Object.values(COLUMNS).flat()]
const STRING = { dtype: 'string', _type: 'Value' }
/** Without it, pictures are read as bytes. */
const FEATURES = {
  id: STRING,
  type: STRING,
  level: STRING,
  prompt: [{ role: STRING, content: STRING }],
  completion: STRING,
  rejected: STRING,
  images: { feature: { _type: 'Image' }, _type: 'Sequence' },
  videos: [{ bytes: { dtype: 'binary', _type: 'Value' }, path: STRING }],
  reward: { dtype: 'float64', _type: 'Value' },
}
/** As Hugging Face writes tables with images, so that a page of them can be shown. */
const GROUP_ROWS = 100

export const parquet: FormatOf = {
  file: (number) => `data/train-${number}.parquet`,
  pattern: 'data/train-*.parquet',
  hasImageFiles: false,
  async encode(examples, media) {
    const { parquetWriteBuffer } = await import('hyparquet-writer')
    const stored = (ref: Parameters<typeof mediaFile>[0]) => ({ bytes: media.get(ref.sha256), path: mediaFile(ref) })
    const rows = examples.map(({ id, labels, messages, reply, rejected, reward }) => {
      const shown = mediaIn(messages)
      return {
        id,
        type: labels['type'] ?? null,
        level: labels['level'] ?? null,
        prompt: messages.map((message) => ({
          role: message.role,
          content: writtenOut(message, (ref) => (isVideo(ref) ? '<video>' : '<image>')),
        })),
        completion: reply,
        rejected: rejected ?? null,
        images: shown.filter(isImage).map(stored),
        videos: shown.filter(isVideo).map(stored),
        reward,
      }
    })
    const bytes = parquetWriteBuffer({
      columnData: Object.keys(COLUMNS).map((name) => ({
        name,
        data: rows.map((row) => row[name as keyof (typeof rows)[number]]),
      })),
      schema: SCHEMA,
      rowGroupSize: GROUP_ROWS,
      statistics: false,
      kvMetadata: [{ key: 'huggingface', value: JSON.stringify({ info: { features: FEATURES } }) }],
    })
    return new Uint8Array(bytes)
  },
}
