/** Who plays what in a study. */
import { UserError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'

/**
 * Gives every sample to `perSample` participants. All get the same number of samples, or one more; who plays a sample
 * together is drawn for each sample, so that everybody shares samples with everybody.
 *
 * @returns samples by participant, in the given order
 */
export function assignSamples(
  samples: readonly string[],
  { participants, perSample, seed }: { participants: number; perSample: number; seed: number },
): string[][] {
  if (perSample > participants)
    throw new UserError(`Each sample cannot be played by ${perSample} of ${participants} participants.`, {
      hint: 'Raise --participants or lower --per-sample.',
    })
  const random = new Random(`study/${seed}`)
  const assigned: string[][] = Array.from({ length: participants }, () => [])
  for (const sample of random.shuffle([...samples])) {
    // Those with the fewest samples, drawn among equals.
    const order = random.shuffle(assigned.map((_, i) => i)).sort((a, b) => assigned[a]!.length - assigned[b]!.length)
    for (const participant of order.slice(0, perSample)) assigned[participant]!.push(sample)
  }
  const position = new Map(samples.map((sample, i) => [sample, i]))
  return assigned.map((own) => own.sort((a, b) => position.get(a)! - position.get(b)!))
}
