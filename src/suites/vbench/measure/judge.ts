/** A vision-language model judges the semantic dimensions: another network under the same rules, so a variant. */
import {
  amountReader,
  bestObject,
  type Bitmap,
  dropThinking,
  encodeJpeg,
  encoderName,
  type JsonObject,
  type Message,
  type Part,
  plainText,
  promptFiles,
  resizeBitmap,
  shortHash,
  startsObject,
} from '../../../suite.ts'
import { type Dimension, SEMANTIC } from '../domain/dimensions.ts'
import { nothing, type Output, type Results, valued, type VideoResult, weighted } from '../domain/results.ts'
import { middleFrames } from './rules/frames.ts'
import { colourObject } from './rules/semantic.ts'
import type { Measure, Meter, MeterContext } from './types.ts'

export const JUDGED_FRAMES = 8
/** How much of the end of a reply in words is read. */
const MAX_WORDS = 4000
const MAX_SIDE = 512

const texts = promptFiles(new URL('../prompts/', import.meta.url))

/** Every text by name. */
export function judgeTexts(): Readonly<Record<string, string>> {
  return texts.all()
}

/** What is asked about a video, and how the answer becomes a value. */
interface Question {
  text: string
  /** The fields of the JSON object that the prompt asks for. */
  read(answer: JsonObject): VideoResult | null
  /** A reply in words, as the object that it stands for; null if it does not answer. */
  words(text: string): JsonObject | null
}

/** Reads a reply of the judge: its last JSON object that answers, or its answer in prose. */
export function readJudgement(reply: string, question: Question): VideoResult | null {
  const best = bestObject(reply, (object) => question.read(lowercaseKeys(object)) !== null)
  if (best !== null) return question.read(lowercaseKeys(best.value))
  // An object that answers something else, or is cut off, is not an answer in words.
  const { text } = dropThinking(reply)
  if (startsObject(text)) return null
  const said = question.words(plainText(text.slice(-MAX_WORDS)).trim())
  return said === null ? null : question.read(said)
}

function lowercaseKeys(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.trim().toLowerCase(), value]))
}

export function questionFor(dimension: Dimension, prompt: MeterContext['prompt'], count: number): Question | null {
  const { facts } = prompt
  const inFrames = (what: string): Question => ({
    text: texts.fill('judge-frames', { what, count }),
    read: ({ frames }) => {
      const seen = frameNumbers(frames, count)
      return seen === null ? null : weighted(seen.size, count, { success_frame_count: seen.size, frame_count: count })
    },
    words: (text) => {
      const frames = framesInWords(text, count)
      return frames === null ? null : { frames }
    },
  })
  const match = (what: string, hint: string): Question => ({
    text: texts.fill('judge-match', { what, hint, count }),
    read: ({ match: given }) => {
      const value = typeof given === 'string' ? matchInWords(given) : given
      return typeof value === 'number' && value >= 0 && value <= 100 ? valued(value / 100) : null
    },
    words: (text) => {
      const given = matchInWords(text)
      return given === null ? null : { match: given }
    },
  })
  switch (dimension) {
    case 'object_class':
      return facts.object === undefined ? null : inFrames(`a ${facts.object}`)
    case 'multiple_objects':
      return facts.object === undefined ? null : inFrames(`both of these: ${facts.object}`)
    case 'scene':
      return inFrames(`this scene: ${facts.scene ?? prompt.prompt}`)
    case 'spatial_relationship': {
      if (!facts.relation) return null
      const { a, b, relation } = facts.relation
      return inFrames(`a ${a} ${relation} a ${b}, as the viewer sees it`)
    }
    case 'color': {
      if (facts.color === undefined) return null
      const object = colourObject(prompt.prompt, facts.color)
      return {
        text: texts.fill('judge-color', { object, color: facts.color, count }),
        read: (answer) => {
          const seen = frameNumbers(answer['object'], count)
          const coloured = frameNumbers(answer['color'], count)
          if (seen === null || coloured === null) return null
          if (seen.size === 0) return nothing('the object is in no frame: the video does not count')
          return valued([...coloured].filter((each) => seen.has(each)).length / seen.size)
        },
        words: (text) => {
          const [seen, coloured] = text.split(COLOR_PART)
          if (seen === undefined || coloured === undefined) return null
          const frames = { object: framesInWords(seen, count), color: framesInWords(coloured, count) }
          return frames.object === null || frames.color === null ? null : frames
        },
      }
    }
    case 'human_action':
      return {
        text: texts.fill('judge-action', { prompt: prompt.prompt, count }),
        read: ({ shows }) => {
          const shown = typeof shows === 'string' ? yesInWords(shows) : shows === 1 || shows === 0 ? shows === 1 : shows
          return typeof shown === 'boolean' ? valued(shown ? 1 : 0) : null
        },
        words: (text) => {
          const shows = yesInWords(text)
          return shows === null ? null : { shows }
        },
      }
    case 'appearance_style':
      return match(facts.style ?? prompt.prompt, 'Judge the style of the pictures only, not what they show.')
    case 'temporal_style':
      return match(prompt.prompt, 'Mind how the camera moves and how time passes from frame to frame.')
    case 'overall_consistency':
      return match(prompt.prompt, 'Mind both what is shown and how.')
    case 'subject_consistency':
    case 'background_consistency':
    case 'temporal_flickering':
    case 'motion_smoothness':
    case 'dynamic_degree':
    case 'aesthetic_quality':
    case 'imaging_quality':
    case 'camera_motion':
    case 'i2v_subject':
    case 'i2v_background':
    case 'composition':
    case 'motion_rationality':
    case 'complex_landscape':
    case 'complex_plot':
    case 'dynamic_attribute':
    case 'dynamic_spatial_relationship':
    case 'human_interaction':
    case 'motion_order_understanding':
    case 'human_clothes':
    case 'material':
    case 'mechanics':
    case 'thermotics':
      return null
  }
}

/** Numbers of frames: a list, or a text such as "1, 2 and 5", "1-4" or "none". */
function frameNumbers(value: unknown, count: number): Set<number> | null {
  const given = typeof value === 'string' ? framesInWords(value, count) : typeof value === 'number' ? [value] : value
  if (!Array.isArray(given)) return null
  const numbers: number[] = []
  for (const each of given as readonly unknown[]) {
    // "3", "frame 3", "1-4", but not null or a list.
    const named = typeof each === 'string' ? framesInWords(each, count) : typeof each === 'number' ? [each] : null
    if (named === null) return null
    numbers.push(...named)
  }
  return numbers.every((each) => Number.isInteger(each) && each >= 1 && each <= count) ? new Set(numbers) : null
}

const NO_FRAME =
  /(?<!\p{L})(?:none|no frames?|in none|in no|not (?:clearly )?(?:visible|seen|present|shown)|does not appear|doesn['’]t appear|empty list|不可见|没有|keine[nmr]?|ningun[oa]|aucune?)(?!\p{L})/iu
const EVERY_FRAME =
  /(?<!\p{L})(?:all(?: (?:of )?(?:the|these|\d{1,3}|eight))?(?: \d{1,3})? ?frames|every frame|each frame|throughout|all of them|all|所有帧|allen? (?:bildern|frames)|todos|toutes)(?!\p{L})/iu
const EXCEPT = /(?<!\p{L})(?:except(?: for)?|but not(?: in)?|apart from|other than)(?!\p{L})/iu
const UNSURE = /(?<!\p{L})(?:cannot|can['’]t|unable|unclear|not sure|impossible|sorry)(?!\p{L})/iu
const SPAN = /(\d{1,4})\s{0,2}(?:-|–|—|to|through|until|bis|a|至|到|~)\s{0,2}(?:frame\s{1,2})?(\d{1,4})/giu

/** "Frame 1: yes", one per line. */
const FRAME_LINE = /(?<!\p{L})(?:frame|image|picture)\s{0,2}#?(\d{1,4})\s{0,2}[:：–—-]\s{0,2}([^\n;.]{1,80})/giu
const NEGATED =
  /(?<!\p{L})(?:no|not|none|n['’]t|never|absent|missing|false|without|nothing|cannot|✗|❌)(?!\p{L})|n['’]t(?!\p{L})|[✗❌]/iu
/** Parts of a reply that each say one thing. */
const CLAUSE = /[.;\n]|,?\s(?:but|while|whereas|however|although)\s/iu

/** Frames that a text names; null if it names none and does not say so. */
function framesInWords(given: string, count: number): number[] | null {
  if (/^\s{0,9}\[\s{0,9}\]\s{0,9}$/.test(given)) return []
  const lines = [...given.matchAll(FRAME_LINE)]
  if (lines.length > 1) return lines.filter((line) => !NEGATED.test(line[2]!)).map((line) => Number(line[1]))
  const clauses = given.split(CLAUSE).filter((clause) => /\d/.test(clause))
  const affirmed = clauses.filter((clause) => !NEGATED.test(clause) || EXCEPT.test(clause))
  // "Frames 1 and 2 show it; frames 3 to 8 do not."
  if (clauses.length > 0 && affirmed.length === 0) return null
  const text = affirmed.length > 0 && !EXCEPT.test(given) ? affirmed.join('\n') : given
  const [named, except] = text.split(EXCEPT)
  if (except !== undefined) {
    const left = framesInWords(named!, count)
    const out = framesInWords(except, count)
    return left === null || out === null ? null : left.filter((each) => !out.includes(each))
  }
  const every = EVERY_FRAME.test(text)
  // "8 frames" counts them, "3/8" is a share, and a number with a point or a percent sign is not a frame.
  const plain = text.replaceAll(
    /\d{1,4}\s{0,2}(?:frames|\/\s{0,2}\d{1,4}|%)|\d{1,9}\.\d{1,9}|(?:^|\n)\s{0,3}\d{1,2}[.)]\s/giu,
    ' ',
  )
  const numbers = plain
    .replaceAll(SPAN, (span, from: string, to: string) => {
      const [first, last] = [Number(from), Number(to)]
      return last - first >= 0 && last - first <= count
        ? ` ${Array.from({ length: last - first + 1 }, (_, i) => first + i).join(' ')} `
        : span
    })
    .match(/(?<![A-Za-z0-9_])\d{1,4}(?![A-Za-z0-9])/g)
  if (numbers !== null && !every) return numbers.map(Number)
  if (every) return Array.from({ length: count }, (_, i) => i + 1)
  return NO_FRAME.test(text) && !UNSURE.test(text) ? [] : null
}

/** Where the answer about the color begins. */
const COLOR_PART = /(?<!\p{L})colou?r(?:ed)?(?: frames)?\s{0,2}[:=]/iu

/** From 0 to 100: "85", "85%", "85/100", "85 out of 100", "Match: 85". */
function matchInWords(text: string): number | null {
  const share = /(?<![\d.])(\d{1,3}(?:\.\d{1,4})?)\s{0,2}(?:\/|out of|of|von|sur|de)\s{0,2}(100|10|5|1)(?!\d)/iu.exec(
    text,
  )
  if (share !== null) return share[2] === '100' ? Number(share[1]) : null
  const labelled = [
    ...text.matchAll(
      /(?<!\p{L})(?:match|score|rating|answer)(?:es|ed)?\s{0,2}(?:is|of|:|=)?\s{0,2}(?:about|around|approximately)?\s{0,2}(\d{1,3}(?:\.\d{1,4})?)(?![\d.]*\d|\s{0,2}(?:-|–|to)\s{0,2}\d)/giu,
    ),
  ].at(-1)
  if (labelled !== undefined) return Number(labelled[1])
  const percent = text.match(/(?<![\d.–-])\d{1,3}(?:\.\d{1,4})?(?=\s{0,2}(?:%|percent))/giu)
  if (percent !== null) return new Set(percent).size === 1 ? Number(percent[0]) : null
  return amountReader(null).alone(text)?.value ?? null
}

/** "Yes", "No, it does not", "true". The first word decides, unless a statement says it. */
export function yesInWords(text: string): boolean | null {
  if (UNSURE.test(text)) return null
  const stated = [
    ...text.matchAll(
      /(?<!\p{L})(?:answer|shows|verdict|result|conclusion)\s{0,2}(?:is|:|=|：)\s{0,2}["'“]?(yes|no|true|false)(?!\p{L})/giu,
    ),
  ].at(-1)?.[1]
  const words = [
    ...text.matchAll(/(?<!\p{L})(yes|no|true|false|ja|nein|sí|oui|non)(?!\p{L})|是的?|否|不是|はい|いいえ/giu),
  ]
  const first = words[0]
  // "No" inside a sentence is a determiner: only at the start, or alone, is it an answer.
  const word =
    stated ??
    (first !== undefined && /^[^\p{L}]{0,8}$/u.test(text.slice(0, first.index)) ? first[0] : onlyLast(text, words))
  if (word !== undefined) return /^(?:yes|true|ja|sí|oui|是|是的|はい)$/i.test(word)
  if (
    /(?<!\p{L})(?:does not|doesn['’]t|do not|don['’]t|not) (?:clearly |actually |really )?(?:show|depict|contain|recognizable|visible)/iu.test(
      text,
    )
  )
    return false
  return /(?<!\p{L})(?:clearly |indeed )?(?:shows|depicts)(?!\p{L})/iu.test(text) ? true : null
}

/** The last line, if it is one word of these. */
function onlyLast(text: string, words: readonly RegExpExecArray[]): string | undefined {
  const last = words.at(-1)
  if (last === undefined) return undefined
  const before = text.slice(0, last.index)
  return /(?:^|\n)[^\p{L}\n]{0,8}$/u.test(before) && /^[^\p{L}]{0,8}$/u.test(text.slice(last.index + last[0].length))
    ? last[0]
    : undefined
}

/** The judge answers with a few words or numbers, after a few sentences. */
const JUDGE_SAMPLING = { temperature: 0, maxTokens: 1024 } as const

export function judgeMeasure(): Measure {
  return {
    title: 'judge',
    tier: 'variant',
    outputs: SEMANTIC,
    version: `judge-3/${shortHash(judgeTexts())}`,
    asks: 'judge',
    start: judgeMeter,
  }
}

function judgeMeter({ info, prompt, episode }: MeterContext, wanted: ReadonlySet<Output>): Meter {
  const chosen = new Set(middleFrames(JUDGED_FRAMES, info.frames))
  const pictures: Bitmap[] = []
  return {
    frame(bitmap, index) {
      // The decoder may use the same memory for the next frame.
      if (chosen.has(index)) pictures.push({ ...bitmap, data: bitmap.data.slice() })
    },
    async end() {
      const results: Results = {}
      const parts: Part[] = []
      for (const picture of pictures) {
        parts.push(await keptPicture(picture, episode))
      }
      for (const dimension of SEMANTIC) {
        if (!wanted.has(dimension)) continue
        const question = questionFor(dimension, prompt, pictures.length)
        if (question === null) {
          results[dimension] = nothing('the prompt suite says too little about the prompt')
          continue
        }
        const message: Message = { role: 'user', content: [...parts, { type: 'text', text: question.text }] }
        const { text } = await episode.ask('judge', [message], { ...JUDGE_SAMPLING, purpose: dimension })
        results[dimension] = readJudgement(text, question) ?? nothing('the answer of the judge cannot be read')
      }
      return results
    },
  }
}

/** A frame as a judge is shown it: at most `MAX_SIDE` pixels on its longer side. */
export async function keptPicture(picture: Bitmap, episode: Pick<MeterContext['episode'], 'keep'>): Promise<Part> {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height))
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const jpeg = await encodeJpeg(scale === 1 ? picture : await resizeBitmap(picture, width, height))
  const made = { made: 'video-frame', encoder: encoderName('image/jpeg') }
  return { type: 'media', media: await episode.keep(jpeg, 'image/jpeg', made, { width, height }) }
}
