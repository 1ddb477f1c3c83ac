/** Baselines of articulate/retrieve answer every stage as text. */
import { BASELINE_THOUGHT } from '../../../../suite.ts'
import type { Baseline, BaselinePlayer, DataFiles, Random } from '../../../../suite.ts'
import { kindOf } from '../../domain/assembly/parts.ts'
import { modelOf } from '../../domain/objects/find.ts'
import { type ArticulatedModel } from '../../domain/objects/model.ts'
import { writeProgram } from '../../domain/objects/write-program.ts'
import type { Profile } from '../../domain/profile.ts'
import { meshKinds, plannedModel } from './meshes.ts'
import type { RetrieveOptions } from './options.ts'
import type { PlannedMesh, RetrieveInput } from './outcome.ts'
import { inWords } from './source.ts'
import type { RetrieveSample } from './sample.ts'

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
const fenced = (source: string): string => `\`\`\`python\n${source}\`\`\``

type Answer = (input: RetrieveInput, target: ArticulatedModel, given: Given) => Promise<string> | string

interface Given {
  sample: RetrieveSample
  files: DataFiles
  random: Random
}

function baseline(title: string, answer: Answer): Baseline<RetrieveSample, RetrieveOptions, Profile> {
  return {
    title,
    start(sample, { files, random }): BaselinePlayer {
      return async ({ baselineInput }) =>
        answer(baselineInput as RetrieveInput, await modelOf(sample.target.object, files), { sample, files, random })
    },
  }
}

/** The true parts as a plan. */
function planOf(target: ArticulatedModel): Omit<PlannedMesh, 'mesh'>[] {
  return target.parts.map(({ name, size }) => ({
    name,
    description: `the ${name.replaceAll('_', ' ')} of a ${target.title}`,
    dimensions: [...size],
  }))
}

async function oracle(input: RetrieveInput, target: ArticulatedModel, { sample, files }: Given): Promise<string> {
  const { pool, part } = sample
  switch (input.kind) {
    case 'detect':
      return json({ object: `a ${target.title}`, affordance: `its ${part ?? 'parts'} can be moved` })
    case 'category':
      return json({ category: target.category })
    case 'select': {
      const wanted = JSON.stringify(sample.target.object)
      const at = input.batch.findIndex((number) => JSON.stringify(pool[number]!.object) === wanted)
      return json({
        image_description: target.title,
        selected_image: `Image ${Math.max(0, at)}`,
        reasoning: BASELINE_THOUGHT,
      })
    }
    case 'affordance': {
      const found = await modelOf(pool[input.chosen]!.object, files)
      const same =
        found.parts.find(({ name }) => name === part) ??
        found.parts.find(({ name }) => kindOf(name) === kindOf(part ?? ''))
      return json({ affordance: 'it moves', part_name: same?.name ?? found.parts[0]!.name, part_color: 'red' })
    }
    case 'specify':
      return json({ reasoning: BASELINE_THOUGHT, output: inWords(target) })
    case 'plan':
      return `Parts:\n\n${json(planOf(target))}`
    case 'match': {
      const at = input.meshes.findIndex(
        ({ category, kind }) => category === target.category && kind === kindOf(input.part),
      )
      return json({ mesh: at < 0 ? null : at })
    }
    case 'make': {
      const kinds = await meshKinds(pool, files)
      const plan = planOf(target).map((each): PlannedMesh => {
        const mesh = kinds.find(({ category, kind }) => category === target.category && kind === kindOf(each.name))
        return { ...each, mesh: mesh ?? null }
      })
      const model = await plannedModel(plan, pool, files)
      const centers = new Map(target.parts.map(({ name, center }) => [name, center]))
      return fenced(
        writeProgram(
          { ...model, shelf: model.shelf, joints: target.joints.filter(({ child }) => input.parts.includes(child)) },
          { joints: target.joints, centers },
        ),
      )
    }
    case 'actor': {
      const found = await modelOf(pool[input.chosen]!.object, files)
      const joints = input.task === 'place' ? [] : found.joints.filter(({ child }) => child === input.target)
      return fenced(writeProgram(found, { joints }))
    }
  }
}

/** Chooses among what it is offered. */
function random(input: RetrieveInput, target: ArticulatedModel, given: Given): Promise<string> | string {
  const { random: draw, sample } = given
  switch (input.kind) {
    case 'detect':
      return json({ object: `a ${draw.pick(sample.pool).category.replaceAll('_', ' ')}`, affordance: 'something' })
    case 'category':
      return json({ category: draw.pick(input.categories) })
    case 'select':
      return json({
        image_description: '',
        selected_image: `Image ${draw.int(input.batch.length)}`,
        reasoning: '',
      })
    case 'match':
      return json({ mesh: draw.int(input.meshes.length) })
    case 'affordance':
      return json({ part_name: draw.pick(target.parts).name, part_color: 'blue' })
    case 'specify':
    case 'plan':
    case 'make':
    case 'actor':
      return oracle(input, target, given)
  }
}

export const retrieveBaselines = {
  oracle: baseline('knows the object in the picture', oracle),
  random: baseline('chooses category, image, mesh and part at random; writes true programs', random),
}
