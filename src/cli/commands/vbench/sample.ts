/** `sightline vbench sample` */
import { UserError } from '../../../base/errors.ts'
import type { Generator } from '../../../models/generators/generator.ts'
import { EXIT } from '../../terminal/exit.ts'
import { plain, print, say } from '../../terminal/output.ts'
import { planFrom, seconds, type SuiteOptions, wholeNumber } from './options.ts'
import { interrupted, progress } from '../../terminal/progress.ts'

interface SampleOptions extends SuiteOptions {
  config?: string
  generator: string
  out: string
  rewritten?: string
  model?: string
  field?: Record<string, string>
  seed?: number
  jobs?: number
  poll?: number
  timeout?: number
}

export async function sample(options: SampleOptions): Promise<void> {
  const { ignoresCase, sampleVideos } = await import('../../../suites/vbench/sample/sampling.ts')
  const generator = await generatorFrom(options)
  wholeNumber('--seed', options.seed, 0)
  wholeNumber('--jobs', options.jobs)
  seconds('--poll', options.poll)
  seconds('--timeout', options.timeout)
  const { plan: planned } = await planFrom(options, { ignoreCase: await ignoresCase(options.out) })
  const signal = interrupted()
  const show = progress('videos')
  const result = await sampleVideos({
    folder: options.out,
    plan: planned,
    generator,
    seed: options.seed,
    atOnce: options.jobs,
    signal,
    onVideo: ({ file, problem }, { kept, made, failed, planned: of }) => {
      if (problem !== null) say(plain(`${file}: ${problem}`))
      show(kept + made + failed, of)
    },
  })
  const { kept, made, failed, planned: of, seed } = result
  if (options.json) print(JSON.stringify({ ...result, out: options.out }, null, 1))
  else {
    print(`${made} videos made, ${kept} were there, ${failed} failed, ${of} planned; seed ${seed}; in ${options.out}`)
  }
  if (signal.aborted) {
    say('Interrupted. The same command goes on.')
    process.exitCode = EXIT.interrupted
  } else if (failed > 0) process.exitCode = EXIT.episodeErrors
}

async function generatorFrom(options: SampleOptions): Promise<Generator> {
  const { generator, model } = options
  if (generator === 'built-in' || generator === 'builtin') {
    return (await import('../../../suites/vbench/sample/procedural.ts')).proceduralGenerator()
  }
  const { isAddress, openGenerator } = await import('../../../models/generators/open.ts')
  const { environment, loadSettings } = await import('../../settings.ts')
  const known = { ...(await loadSettings(options.config)).generators }
  if (generator.startsWith('cmd:')) {
    const command = generator.slice('cmd:'.length)
    return openGenerator(generator, { [generator]: { command, ...(model === undefined ? {} : { model }) } }, {})
  }
  if (!isAddress(generator) && !Object.hasOwn(known, generator)) {
    throw new UserError(`"${generator}" is no generator.`, {
      hint: 'Give an address (http://…), a command (cmd:python make.py --prompt {prompt} --seed {seed} --out {out}), a name from sightline.config, or built-in.',
    })
  }
  if (isAddress(generator)) {
    const fields = Object.fromEntries(Object.entries(options.field ?? {}).map(([key, value]) => [key, literal(value)]))
    known[generator] = {
      url: generator,
      fields,
      ...(model === undefined ? {} : { model }),
      ...(options.poll === undefined ? {} : { pollSeconds: options.poll }),
      ...(options.timeout === undefined ? {} : { timeoutSeconds: options.timeout }),
    }
  }
  return openGenerator(generator, known, environment())
}

/** `steps=30` is a number, `hd=true` is yes or no, everything else is text. */
function literal(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
