/** `scene.json`: a mesh and the boxes of its objects, in a folder of its own. Written by users, so nothing in it is trusted. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf, parseForeignJson, readRegularText, UserError } from '../../../../suite.ts'

export const SCENE_FILE = 'scene.json'
const MAX_SCENES = 10_000
const MAX_OBJECTS = 1000
const MAX_JSON_BYTES = 16 * 1024 ** 2
/** In meters. */
const FARTHEST = 1000

const place = z.number().min(-FARTHEST).max(FARTHEST)
const side = z.number().min(0.001).max(FARTHEST)

const ownObject = z.strictObject({
  name: z
    .string()
    .max(60)
    // Names are parts of sentences and of lists with commas.
    .regex(
      /^[\p{L}\p{N}](?:[\p{L}\p{N} '&+./-]*[\p{L}\p{N}])?$/u,
      'use letters, digits and spaces, such as "coffee table"',
    ),
  center: z.tuple([place, place, place]),
  size: z.tuple([side, side, side]),
  yaw: z.number().min(-360).max(360).default(0),
  support: z.enum(['floor', 'wall', 'ceiling']).optional(),
  room: z.int().min(1).max(1000).default(1),
})

const ownFile = z.strictObject({
  // One name without separators, so that no file outside of the folder can be named.
  mesh: z.string().regex(/^(?!\.{1,2}$)[^/\\:\0]{1,200}$/, 'name a file in the same folder, such as "room.glb"'),
  up: z.enum(['x', 'y', 'z']).optional(),
  metersPerUnit: z.number().min(1e-6).max(1e6).optional(),
  floorArea: z.number().min(0.1).max(100_000).optional(),
  objects: z.array(ownObject).min(1).max(MAX_OBJECTS),
})
export type OwnFile = z.output<typeof ownFile>

export async function readOwnFile(folder: string): Promise<OwnFile> {
  const path = join(folder, SCENE_FILE)
  const invalid = (reason: string): UserError =>
    new UserError(`${path} does not describe a scene: ${reason}.`, {
      hint: 'Its format is in docs/suites/vsi/index.md, "Your own scenes".',
    })
  let json: unknown
  try {
    json = parseForeignJson(await readRegularText(path, MAX_JSON_BYTES))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw invalid(messageOf(error).slice(0, 200))
  }
  const parsed = ownFile.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw invalid(`at ${issue.path.join('.') || 'the top level'}: ${issue.message}`)
}

/** The folder of the scenes and their names, in order: subfolders with a `scene.json`, or the one folder that has it. */
export async function findOwnScenes(path: string): Promise<{ root: string; names: string[] }> {
  const given = resolve(path)
  if (await isFile(join(given, SCENE_FILE))) return { root: dirname(given), names: [basename(given)] }
  const entries = await readdir(given, { withFileTypes: true }).catch((error: unknown) => {
    throw new UserError(`Cannot read ${path}: ${messageOf(error)}.`, {
      hint: `Name a folder with a ${SCENE_FILE}, or one whose subfolders have one.`,
    })
  })
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
  const names: string[] = []
  for (const name of folders.sort()) if (await isFile(join(given, name, SCENE_FILE))) names.push(name)
  if (names.length === 0 || names.length > MAX_SCENES) {
    throw new UserError(
      names.length === 0
        ? `There is no ${SCENE_FILE} in ${path} or its subfolders.`
        : `${path} has ${names.length} scenes; at most ${MAX_SCENES} can be opened at once.`,
      { hint: 'Each scene is a folder with a mesh and a scene.json: see docs/suites/vsi/index.md, "Your own scenes".' },
    )
  }
  return { root: given, names }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}
