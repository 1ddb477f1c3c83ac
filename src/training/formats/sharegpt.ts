/** ShareGPT and LLaVA: a list of conversations, with pictures beside it. LLaMA-Factory, ms-swift and LLaVA read it. */
import { mediaIn, type Message } from '../../models/types.ts'
import { type Example, writtenOut } from './example.ts'
import type { FormatOf } from './format.ts'
import { isImage, isVideo, mediaFile } from './media-file.ts'

const SPEAKERS = { system: 'system', user: 'human', assistant: 'gpt' } as const

export const shareGpt: FormatOf = {
  file: (number) => `train-${number}.json`,
  pattern: 'train-*.json',
  hasImageFiles: true,
  encode: (examples) => Buffer.from(`[\n${examples.map((example) => JSON.stringify(rowOf(example))).join(',\n')}\n]\n`),
}

function rowOf({ id, labels, messages, reply, rejected, reward }: Example): object {
  const said = messages.map(turn)
  const media = mediaIn(messages)
  const [images, videos] = [media.filter(isImage).map(path), media.filter(isVideo).map(path)]
  return {
    id,
    ...(rejected === undefined
      ? { conversations: [...said, { from: 'gpt', value: reply }] }
      : { conversations: said, chosen: { from: 'gpt', value: reply }, rejected: { from: 'gpt', value: rejected } }),
    // LLaVA reads `image`, others `images`.
    ...(images.length > 0 && { image: images.length === 1 ? images[0] : images, images }),
    ...(videos.length > 0 && { videos }),
    ...labels,
    reward,
  }
}

const path = (media: Parameters<typeof mediaFile>[0]): string => `images/${mediaFile(media)}`

function turn(message: Message): { from: string; value: string } {
  const value = writtenOut(message, (media) => (isVideo(media) ? '<video>\n' : '<image>\n'))
  return { from: SPEAKERS[message.role], value }
}
