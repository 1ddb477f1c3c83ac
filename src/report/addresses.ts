/** What a run says about the network it ran in, and not about the model. It is left out of what is shared. */
import type { RunHeader } from '../store/records.ts'

/** Of any role: `base_url`, `judge.base_url`, `header.X-Team`. */
const ADDRESS_OPTION = /^(?:modelOption\.)?(?:\w+\.)?(?:base_url$|header\.)/

/** Options, or parts of a fingerprint, without base URLs and HTTP headers. */
export function withoutAddresses<Value>(options: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !ADDRESS_OPTION.test(name)))
}

/** The addresses of models that a run names. */
export function addressesOf({ modelOptions }: Pick<RunHeader, 'modelOptions'>): string[] {
  const urls = Object.entries(modelOptions).filter(([name]) => /(?:^|\.)base_url$/.test(name))
  return urls.map(([, url]) => url).filter((url) => typeof url === 'string')
}
