/** Prints the hashes of a suite's samples: the other process of `hashOfSamplesElsewhere`. */
import { loadSuite } from '../library/suites.ts'
import { hashOfSamples, type WantedSamples } from './other-process.ts'

const wanted = JSON.parse(process.argv.at(-1)!) as WantedSamples
const suite = await loadSuite(wanted.name, wanted.loadFrom)
process.stdout.write(JSON.stringify(await hashOfSamples(suite, wanted)))
