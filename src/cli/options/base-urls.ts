/** Which base URLs and variables a run from elsewhere may use: those that the user has named, or confirms. */
import { createInterface } from 'node:readline/promises'
import type { Settings } from '../../library/config.ts'
import type { DestinationOptions } from '../../library/environment.ts'

/** What is typed for a run from elsewhere. */
export interface DestinationFlags {
  allowBaseUrl?: string[]
  allowVariable?: string[]
}

export function destinationOptions(typed: DestinationFlags, { run, models }: Settings): DestinationOptions {
  const options = [run?.modelOption, ...Object.values(models ?? {}).map((model) => model.options)]
  const inConfig = options.flatMap((each) =>
    Object.entries(each ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' && /(^|\.)base_url$/.test(name) ? [value] : [],
    ),
  )
  return {
    allowBaseUrl: [...(typed.allowBaseUrl ?? []), ...inConfig],
    allowVariable: typed.allowVariable,
    ...(process.stdin.isTTY && process.stderr.isTTY && { confirmBaseUrl }),
  }
}

const confirmBaseUrl: DestinationOptions['confirmBaseUrl'] = async ({ model, url, variable }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const what = variable === undefined ? 'your key' : `the environment variable ${variable} in a header`
    const answer = await terminal.question(`This run asks ${model} at ${url}, with ${what}. Send it there? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
