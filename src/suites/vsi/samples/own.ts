/** Questions about a user's own scenes: meshes with named boxes. */
import { join } from 'node:path'
import { z } from 'zod'
import { defineSource, hashOf, readRegular, sha256, type SourceRequest, UserError, messageOf } from '../../../suite.ts'
import type { Mode } from '../domain/protocol.ts'
import { findOwnScenes, readOwnFile } from '../domain/scene/own-file.ts'
import type { VsiOptions } from '../options.ts'
import { OWN_GENERATOR, slotsOf } from './own-questions.ts'
import { budgetOf, samplesOfOwn } from './question-thread.ts'
import { slottedSource } from './slots.ts'

const MAX_QUESTIONS = 20

const args = z.object({
  path: z.string().min(1).describe('folder of a scene, or of several'),
  questions: z.int().min(1).max(MAX_QUESTIONS).default(1).describe('questions of each type per scene, at most'),
  seed: z.int().min(0).optional().describe('seed; default: the seed of the run'),
})

export function ownSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: 'your own scenes: a mesh and the boxes of its objects',
    usage: 'scenes:/data/rooms or scenes:path=/data/rooms,questions=3',
    args,
    async open({ args: { path, questions }, options, seed }: SourceRequest<Options, z.output<typeof args>>) {
      const { root, names } = await findOwnScenes(path)
      const hashes: string[] = []
      for (const name of names) hashes.push(await contentHash(join(root, name)))
      const budget = budgetOf(options)
      const settings = hashOf({ names, hashes, seed, questions, budget, types: options.types })
      const source = `${OWN_GENERATOR}/${settings.slice(0, 16)}`
      return slottedSource(mode, options, {
        fingerprint: source,
        scenes: names.length,
        slots: slotsOf(questions),
        isComplete: false,
        cluster: (index) => names[index]!,
        make: (index) => {
          const name = names[index]!
          return samplesOfOwn({ folder: join(root, name), name, source, seed, index, questions }, budget)
        },
        roots: { [source]: root },
      })
    },
  })
}

/** The description is checked here, before anything is played; the mesh is only read. */
async function contentHash(folder: string): Promise<string> {
  const file = await readOwnFile(folder)
  const path = join(folder, file.mesh)
  const bytes = await readRegular(path).catch((error: unknown) => {
    throw new UserError(`Cannot read the mesh ${path}: ${messageOf(error)}`, {
      hint: `"mesh" in ${join(folder, 'scene.json')} names a file in the same folder.`,
    })
  })
  return hashOf({ file, mesh: sha256(bytes) })
}
