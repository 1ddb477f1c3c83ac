import { expect, it } from 'vitest'
import { suiteOptions } from '../engine/options.ts'
import { openSource } from '../engine/source.ts'
import { findSuite, suiteNames } from './index.ts'

/** Cases travel to workers as JSON: what does not survive that would be another case there. */
it.each(suiteNames())('cases of %s are plain JSON', { timeout: 180_000 }, async (name) => {
  const suite = await findSuite(name)
  const options = suiteOptions(suite, {})
  const source = await openSource(suite, suite.defaultSource, options, { seed: 0, profile: suite.profiles[0] })
  let looked = 0
  for await (const sample of source.cases()) {
    expect(JSON.parse(JSON.stringify(sample))).toEqual(sample)
    if (++looked === 2) break
  }
  expect(looked).toBeGreaterThan(0)
})
