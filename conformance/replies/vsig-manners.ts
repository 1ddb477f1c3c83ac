/** Manners of answering VSIG's question: how a model writes, and what a careful person reads in it. */
import type { Convention } from '../../src/suites/vsig/domain/coords.ts'
import type { Scene, SceneSlot } from './vsig-scenes.ts'

export interface Reading {
  command: string
  points: readonly (readonly [number, number] | null)[]
  times: readonly (number | readonly [number, number] | null)[]
}

interface Manner {
  manner: string
  /** What the prompt asks for. Default: `[x, y]` in 0…1000. */
  convention?: Convention
  write: (scene: Scene) => { reply: string; expected: Reading | null }
}

const full = ({ command, slots }: Scene): Reading => ({
  command,
  points: slots.map(({ point }) => point),
  times: slots.map(({ time }) => time),
})
const withoutTimes = (scene: Scene): Reading => ({ ...full(scene), times: scene.slots.map(() => null) })
const withoutCommand = (scene: Scene): Reading => ({ ...full(scene), command: '' })
const pointsAlone = (scene: Scene): Reading => ({ ...withoutTimes(scene), command: '' })
const nothing = (): null => null

const item = ({ what, point, time }: SceneSlot, i: number) => ({
  type: i % 2 === 0 ? 'target_object' : 'spatial_affordance',
  description: what,
  point,
  timestamp: time,
})
const asked = ({ command, slots }: Scene) => ({
  explicit_command: command,
  point_list: slots.map(item),
  reasoning: 'The hand points at it.',
})
const json = (scene: Scene): string => JSON.stringify(asked(scene), null, 2)
const line = (scene: Scene): string => JSON.stringify(asked(scene))
const seconds = (ms: number): string => (ms / 1000).toFixed(2)
const list = (scene: Scene, write: (slot: SceneSlot, number: number) => string, glue = '\n'): string =>
  scene.slots.map((slot, i) => write(slot, i + 1)).join(glue)

/** The answer as an object with other items. */
const withItems = (scene: Scene, write: (slot: SceneSlot) => object, more: object = {}): string =>
  JSON.stringify({ explicit_command: scene.command, point_list: scene.slots.map(write), ...more })

const m = (
  manner: string,
  reply: (scene: Scene) => string,
  expected: (scene: Scene) => Reading | null = full,
  convention?: Convention,
): Manner => ({
  manner,
  ...(convention === undefined ? {} : { convention }),
  write: (scene) => ({ reply: reply(scene), expected: expected(scene) }),
})

const yx = (scene: Scene): Reading => ({ ...full(scene), points: scene.slots.map(({ point: [x, y] }) => [y, x]) })

export const MANNERS: readonly Manner[] = [
  m('as asked', json),
  m('as asked, one line', line),
  m('fenced', (s) => `\`\`\`json\n${json(s)}\n\`\`\``),
  m('fenced without language', (s) => `\`\`\`\n${line(s)}\n\`\`\``),
  m('fence on one line', (s) => `\`\`\`json ${line(s)}\`\`\``),
  m(
    'chatty',
    (s) =>
      `Sure! I watched the clip carefully. Here is the grounded intent:\n\n${json(s)}\n\nLet me know if you want me to double-check anything!`,
  ),
  m(
    'chatty, fenced',
    (s) =>
      `Based on the frames, here's the answer:\n\n\`\`\`json\n${json(s)}\n\`\`\`\n\n**Note:** the last frame was slightly blurred.`,
  ),
  m('chinese prose', (s) => `根据视频内容和用户的语音，分析结果如下：\n${json(s)}\n希望对您有帮助。`),
  m(
    'thinks in tags',
    (s) =>
      `<think>The finger is near (${s.slots[0]!.point[0] + 40}, ${s.slots[0]!.point[1]}). {"point_list": [{"point": [1, 2]}]} is a first guess.</think>\n${json(s)}`,
  ),
  m('thinking never opened', (s) => `He points left first, maybe [3, 4].</think>${line(s)}`),
  m(
    'draft, then answer',
    (s) =>
      `Draft:\n${withItems(s, (slot) => ({ ...item(slot, 0), point: [1, 1] }))}\n\nWait, the points must be in the last frame. Final answer:\n${json(s)}`,
  ),
  m(
    'echoes the format',
    (s) => `Format: {"explicit_command": "...", "point_list": [{"point": [x, y]}]}\n\nMy answer:\n${json(s)}`,
  ),
  m('trailing commas', (s) =>
    json(s)
      .replaceAll(/\n(\s*)([\]}])/g, ',\n$1$2')
      .replaceAll(/(\d),(\s+\])/g, '$1$2'),
  ),
  m(
    'single quotes',
    (s) =>
      `{'explicit_command': '${s.command}', 'point_list': [${list(s, ({ what, point, time }) => `{'type': 'target_object', 'description': '${what}', 'point': [${point.join(', ')}], 'timestamp': [${time.join(', ')}]}`, ', ')}], 'reasoning': 'ok'}`,
  ),
  m('comments', (s) =>
    json(s).replace('"point_list": [', '"point_list": [ // in order\n').replace('"reasoning"', '// why\n  "reasoning"'),
  ),
  m(
    'python dict',
    (s) => `result = ${withItems(s, (slot) => item(slot, 0), { ok: null }).replace('"ok":null', '"ok": None')}`,
  ),
  m(
    'tuples',
    (s) =>
      `{"explicit_command": "${s.command}", "point_list": [${list(s, ({ what, point, time }) => `{"description": "${what}", "point": (${point.join(', ')}), "timestamp": (${time.join(', ')})}`, ', ')}]}`,
  ),
  m('boxed', (s) => `The answer is \\boxed{${line(s)}}`),
  m('wrapped in answer', (s) => JSON.stringify({ answer: asked(s) })),
  m('wrapped in result and data', (s) => JSON.stringify({ status: 'ok', result: { data: asked(s) } })),
  m('list around the object', (s) => JSON.stringify([asked(s)])),
  m('json in a string field', (s) => `{"thoughts": "The user speaks while pointing.", "output": ${line(s)}}`),
  m('numbers as strings', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point: point.map(String),
      timestamp: time.map(String),
    })),
  ),
  m('point as a string', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: point.join(', '), timestamp: time })),
  ),
  m('point as a bracketed string', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: `[${point.join(', ')}]`, timestamp: time })),
  ),
  m('point as "(x, y)"', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: `(${point.join(', ')})`, timestamp: time })),
  ),
  m('point as {x, y}', (s) =>
    withItems(s, ({ what, point: [x, y], time }) => ({ description: what, point: { x, y }, timestamp: time })),
  ),
  m('x and y as fields', (s) =>
    withItems(s, ({ what, point: [x, y], time }) => ({ description: what, x, y, timestamp: time })),
  ),
  m('nested point', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: [point], timestamp: time })),
  ),
  m(
    'point_2d of Qwen',
    (s) =>
      `\`\`\`json\n${JSON.stringify(s.slots.map(({ what, point }) => ({ point_2d: point, label: what })))}\n\`\`\``,
    pointsAlone,
  ),
  m('bbox_2d of Qwen', (s) =>
    withItems(s, ({ what, point: [x, y], time }) => ({
      label: what,
      bbox_2d: [x - 5, y - 3, x + 5, y + 3],
      timestamp: time,
    })),
  ),
  m(
    'list of Gemini, [y, x]',
    (s) =>
      `\`\`\`json\n[\n${list(s, ({ what, point: [x, y] }) => `  {"point": [${y}, ${x}], "label": "${what}"}`, ',\n')}\n]\n\`\`\``,
    (s) => ({ ...pointsAlone(s), points: yx(s).points }),
    'yx1000',
  ),
  m(
    'asked for [y, x]',
    (s) => withItems(s, ({ what, point: [x, y], time }) => ({ description: what, point: [y, x], timestamp: time })),
    yx,
    'yx1000',
  ),
  m(
    'asked for [y, x], names them',
    (s) => withItems(s, ({ what, point: [x, y], time }) => ({ description: what, point: { x, y }, timestamp: time })),
    yx,
    'yx1000',
  ),
  m(
    'tags of Molmo',
    (s) => list(s, ({ what, point: [x, y] }) => `<point x="${x / 10}" y="${y / 10}" alt="${what}">${what}</point>`),
    (s) => ({ ...pointsAlone(s), points: s.slots.map(({ point: [x, y] }) => [x / 10, y / 10]) }),
    'xy100',
  ),
  m(
    'one tag of Molmo for all',
    (s) =>
      `<points ${list(s, ({ point: [x, y] }, n) => `x${n}="${x / 10}" y${n}="${y / 10}"`, ' ')} alt="targets">targets</points>`,
    (s) => ({ ...pointsAlone(s), points: s.slots.map(({ point: [x, y] }) => [x / 10, y / 10]) }),
    'xy100',
  ),
  m(
    'fractions',
    (s) =>
      withItems(s, ({ what, point: [x, y], time }) => ({
        description: what,
        point: [x / 1000, y / 1000],
        timestamp: time,
      })),
    (s) => ({
      ...full(s),
      points: s.slots.map(({ point: [x, y] }) => [Math.round(x / 10) / 100, Math.round(y / 10) / 100]),
    }),
    'xy1',
  ),
  m('percentages as text', (s) =>
    withItems(s, ({ what, point: [x, y], time }) => ({
      description: what,
      point: [`${x / 10}%`, `${y / 10}%`],
      timestamp: time,
    })),
  ),
  m(
    'pixels',
    (s) =>
      withItems(s, ({ what, point: [x, y], time }) => ({
        description: what,
        point: [x * 1.28, y * 0.72],
        timestamp: time,
      })),
    (s) => ({
      ...full(s),
      points: s.slots.map(({ point: [x, y] }) => [Math.round(x * 128) / 100, Math.round(y * 72) / 100]),
    }),
    'xy-pixel',
  ),
  m(
    'decimals',
    (s) =>
      withItems(s, ({ what, point: [x, y], time }) => ({
        description: what,
        point: [x + 0.5, y + 0.25],
        timestamp: time,
      })),
    (s) => ({ ...full(s), points: s.slots.map(({ point: [x, y] }) => [x + 0.5, y + 0.25]) }),
  ),
  m('times as "1.2s"', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: time.map((ms) => `${seconds(ms)}s`),
    })),
  ),
  m('times as "1.20 seconds"', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: time.map((ms) => `${seconds(ms)} seconds`),
    })),
  ),
  m('times as a range in one string', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: `${time[0]}-${time[1]} ms` })),
  ),
  m('times as a range in seconds', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: `${seconds(time[0])}s – ${seconds(time[1])}s`,
    })),
  ),
  m('times as "1200 to 1800 ms"', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: `${time[0]} to ${time[1]} ms` })),
  ),
  m('times as clock', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: time.map((ms) => `00:0${seconds(ms)}`),
    })),
  ),
  m('times in chinese units', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: `${time[0]}毫秒到${time[1]}毫秒`,
    })),
  ),
  m('times as {start, end}', (s) =>
    withItems(s, ({ what, point, time }) => ({
      description: what,
      point,
      timestamp: { start: time[0], end: time[1] },
    })),
  ),
  m('start_ms and end_ms', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, start_ms: time[0], end_ms: time[1] })),
  ),
  m('time in seconds by name', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp_s: time.map((ms) => ms / 1000) })),
  ),
  m(
    'one moment',
    (s) => withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: time[0] })),
    (s) => ({ ...full(s), times: s.slots.map(({ time }) => time[0]) }),
  ),
  m(
    'one moment as text',
    (s) => withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: `${seconds(time[0])} s` })),
    (s) => ({ ...full(s), times: s.slots.map(({ time }) => time[0]) }),
  ),
  m(
    'null times',
    (s) => withItems(s, ({ what, point }) => ({ description: what, point, timestamp: null })),
    withoutTimes,
  ),
  m('times left out', (s) => withItems(s, ({ what, point }) => ({ description: what, point })), withoutTimes),
  m(
    'times reversed',
    (s) => withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: [time[1], time[0]] })),
    withoutTimes,
  ),
  m('other field names', (s) =>
    JSON.stringify({
      command: s.command,
      points: s.slots.map(({ what, point, time }) => ({ label: what, coordinates: point, time_range: time })),
    }),
  ),
  m('camel case', (s) =>
    JSON.stringify({
      explicitCommand: s.command,
      pointList: s.slots.map(({ what, point, time }) => ({ description: what, point, timeStamp: time })),
    }),
  ),
  m('chinese field names', (s) =>
    JSON.stringify({
      指令: s.command,
      点列表: s.slots.map(({ what, point, time }) => ({ 描述: what, 坐标: point, 时间戳: time })),
    }),
  ),
  m(
    'bare pairs',
    (s) => JSON.stringify({ explicit_command: s.command, point_list: s.slots.map(({ point }) => point) }),
    withoutTimes,
  ),
  m('points by name', (s) =>
    JSON.stringify({
      explicit_command: s.command,
      point_list: Object.fromEntries(s.slots.map((slot, i) => [`slot${i + 1}`, item(slot, i)])),
    }),
  ),
  m(
    'a point is missing',
    (s) => withItems(s, (slot) => ({ ...item(slot, 0), point: slot === s.slots[0] ? null : slot.point })),
    (s) => ({ ...full(s), points: full(s).points.map((point, i) => (i === 0 ? null : point)) }),
  ),
  m(
    'a point that is no point',
    (s) => withItems(s, (slot) => ({ ...item(slot, 0), point: slot === s.slots[0] ? 'not visible' : slot.point })),
    (s) => ({ ...full(s), points: full(s).points.map((point, i) => (i === 0 ? null : point)) }),
  ),
  m('cut off in the reasoning', (s) => json(s).slice(0, json(s).indexOf('The hand') + 6)),
  m('cut off after the points', (s) => json(s).slice(0, json(s).lastIndexOf(']') + 1)),
  m('cut off before the last brace, fenced', (s) => `\`\`\`json\n${json(s).slice(0, -2)}\n\`\`\``),
  m(
    'numbered list',
    (s) =>
      `Command: ${s.command}\n\n${list(s, ({ what, point, time }, n) => `${n}. ${what}: (${point.join(', ')}), ${time[0]}–${time[1]} ms`)}`,
  ),
  m(
    'bullets with bold',
    (s) =>
      `**Command:** ${s.command}\n\n${list(s, ({ what, point, time }) => `- **${what}** — point [${point.join(', ')}], timestamp [${time.join(', ')}]`)}`,
  ),
  m(
    'markdown table',
    (s) =>
      `**Command:** ${s.command}\n\n| # | target | point | time (ms) |\n|---|---|---|---|\n${list(s, ({ what, point, time }, n) => `| ${n} | ${what} | (${point.join(', ')}) | ${time[0]}-${time[1]} |`)}`,
  ),
  m(
    'sentences',
    (s) =>
      list(
        s,
        ({ what, point, time }) =>
          `The ${what} is at (${point.join(', ')}) and is mentioned from ${seconds(time[0])} s to ${seconds(time[1])} s.`,
      ),
    withoutCommand,
  ),
  m('x= and y=', (s) => list(s, ({ what, point: [x, y] }) => `${what}: x=${x}, y=${y}`), pointsAlone),
  m(
    'chinese list',
    (s) =>
      `指令：${s.command}\n${list(s, ({ what, point, time }, n) => `${n}、${what}，坐标（${point.join('，')}），时间 ${time[0]}毫秒到${time[1]}毫秒`)}`,
  ),
  m(
    'thinks aloud, then answers',
    (s) =>
      `At first I thought of (12, 34), but the hand moves on.\n\nFinal answer:\n${list(s, ({ what, point }) => `${what} (${point.join(', ')})`)}`,
    pointsAlone,
  ),
  m('JSON per line', (s) => list(s, (slot, n) => JSON.stringify(item(slot, n - 1))), withoutCommand),
  m(
    'YAML',
    (s) =>
      `explicit_command: ${s.command}\npoint_list:\n${list(s, ({ what, point, time }) => `  - description: ${what}\n    point: [${point.join(', ')}]\n    timestamp: [${time.join(', ')}]`)}`,
  ),
  m(
    'YAML, fenced',
    (s) =>
      `\`\`\`yaml\ncommand: "${s.command}"\npoints:\n${list(s, ({ what, point, time }) => `- label: ${what}\n  point: [${point.join(', ')}]\n  time: [${time.join(', ')}]`)}\n\`\`\``,
  ),
  m(
    'XML',
    (s) =>
      `<answer>\n<command>${s.command}</command>\n${list(s, ({ what, point }) => `<target name="${what}">(${point.join(', ')})</target>`)}\n</answer>`,
    pointsAlone,
  ),
  m('tool call', (s) => JSON.stringify({ name: 'submit_answer', arguments: asked(s) })),
  m('tool call with arguments as text', (s) => JSON.stringify({ name: 'submit_answer', arguments: line(s) })),
  m('quoted JSON', (s) => JSON.stringify(line(s))),
  m(
    'bare keys',
    (s) =>
      `{explicit_command: "${s.command}", point_list: [${list(s, ({ what, point, time }) => `{description: "${what}", point: [${point.join(', ')}], timestamp: [${time.join(', ')}]}`, ', ')}]}`,
  ),
  m('curly quotes', (s) => line(s).replaceAll(/"([^"]*)"/g, '“$1”')),
  m('line break in a string', (s) => line(s).replace('The hand points', 'The hand\npoints')),
  m('third number', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: [...point, 1], timestamp: time })),
  ),
  m('point as "x y"', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point: point.join(' '), timestamp: time })),
  ),
  m('point as "x=…, y=…"', (s) =>
    withItems(s, ({ what, point: [x, y], time }) => ({ description: what, point: `x=${x}, y=${y}`, timestamp: time })),
  ),
  m('times as a bracketed string', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: `[${time.join(', ')}]` })),
  ),
  m('times as "1200ms"', (s) =>
    withItems(s, ({ what, point, time }) => ({ description: what, point, timestamp: time.map((ms) => `${ms}ms`) })),
  ),
  m(
    'labels without brackets',
    (s) => list(s, ({ what, point }, n) => `Object ${n} (${what})\nPoint: ${point.join(', ')}`),
    pointsAlone,
  ),
  m(
    'headings',
    (s) =>
      `### Explicit command\n${s.command}\n\n### Points\n${list(s, ({ what, point, time }) => `* ${what}: \`[${point.join(', ')}]\` at \`${time[0]}-${time[1]} ms\``)}`,
    withoutCommand,
  ),
  m(
    'two blocks',
    (s) =>
      `\`\`\`json\n${JSON.stringify({ thoughts: 'He points twice.' })}\n\`\`\`\nAnd the answer:\n\`\`\`json\n${json(s)}\n\`\`\``,
  ),
  m('braces after the answer', (s) => `${json(s)}\n\nI used {"coords": "xy1000"} as requested.`),
  m(
    'channel of gpt-oss',
    (s) =>
      `<|channel|>analysis<|message|>maybe {"explicit_command": "no", "point_list": []}<|end|><|start|>assistant<|channel|>final<|message|>${line(s)}<|return|>`,
  ),
  m('english about a chinese clip', (s) => `The user says something in Chinese. Result:\n${line(s)}`),
  m('reasoning first', (s) => JSON.stringify({ thoughts: 'First (10, 20), then [30, 40].', ...asked(s), notes: [] })),
  m('refusal', () => "I'm sorry, but I can't determine what the person is pointing at in this clip.", nothing),
  m('refusal in chinese', () => '抱歉，我无法从视频中判断用户指向的物体。', nothing),
  m('asks back', () => 'Could you share the last frame in a higher resolution?', nothing),
  m('empty', () => '', nothing),
  m('describes only', ({ slots }) => `The person points at the ${slots[0]!.what} on the table and speaks.`, nothing),
]
