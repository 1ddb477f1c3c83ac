/** A critic's sample as its author would have written it, read like any answer. */
import type { DataFiles } from '../../../suite.ts'
import type { Robot } from '../../../world.ts'
import type { CriticSample } from '../samples/sample.ts'
import { variantOf } from '../domain/objects/faults.ts'
import { modelOf } from '../domain/objects/find.ts'
import type { ArticulatedModel } from '../domain/objects/model.ts'
import { writeProgram } from '../domain/objects/write-program.ts'
import { runProgram } from './program/index.ts'

/** The original, the function of what was built, and the robot that it builds. */
export async function faulty(
  sample: CriticSample,
  files: DataFiles,
): Promise<{ model: ArticulatedModel; source: string; robot: Robot }> {
  const model = await modelOf(sample.object, files)
  const { joints, centers, without } = sample.fault
  const source = writeProgram(model, {
    joints: sample.critic === 'link' ? [] : joints,
    centers: new Map(centers),
    without,
  })
  const original = sample.truth ? variantOf(model, sample.truth) : model
  return { model: original, source, robot: runProgram(source, { profile: 'fixed', shelf: model.shelf }).robot() }
}
