/** Prints the hashes of a suite's samples; started by `hashSamplesInOtherProcess`. */
import { loadSuite } from '../library/suites.ts'
import { hashSamples, type SampleRequest } from './other-process.ts'

const wanted = JSON.parse(process.argv.at(-1)!) as SampleRequest
const suite = await loadSuite(wanted.name, wanted.loadFrom)
process.stdout.write(JSON.stringify(await hashSamples(suite, wanted)))
