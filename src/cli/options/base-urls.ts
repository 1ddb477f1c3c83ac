/** Which base URLs a run from elsewhere may use: those that the user has named, or confirms. */
import { createInterface } from 'node:readline/promises'
import type { Settings } from '../../library/config.ts'
import type { DestinationOptions } from '../../library/environment.ts'

/** @param typed `--allow-base-url` */
export function destinationOptions(typed: readonly string[] = [], { run, models }: Settings): DestinationOptions {
  const options = [run?.modelOption, ...Object.values(models ?? {}).map((model) => model.options)]
  const inConfig = options.flatMap((each) =>
    Object.entries(each ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && /(^|\.)base_url$/.test(name) ? [value] : [],
    ),
  )
  return {
    allowBaseUrl: [...typed, ...inConfig],
    ...(process.stdin.isTTY && process.stderr.isTTY && { confirmBaseUrl }),
  }
}

const confirmBaseUrl: DestinationOptions['confirmBaseUrl'] = async ({ model, url }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`This run asks ${model} at ${url}, with your key. Send it there? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
