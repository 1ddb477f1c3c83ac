/** Writes built-in questions in the layout of VSI-Bench, so that other harnesses can run them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DataFiles } from '../../../suite.ts'
import {
  boundsOf,
  boxCorners,
  buildScene,
  type SceneObject,
  type TriangleMesh,
  turnedBox,
  writePly,
} from '../../../world.ts'
import { cameraFor } from '../domain/camera.ts'
import { levelOf, type Level } from '../domain/levels.ts'
import { builtScene } from '../domain/scene/built.ts'
import type { BuiltinOrigin } from '../domain/scene/origin.ts'
import { openWalkthrough } from '../domain/scene/walkthrough.ts'
import { makeSamples } from './builtin-questions.ts'
import type { SceneInfo } from './meta.ts'
import type { VsiRow } from './rows.ts'

export interface DatasetOptions {
  seed: number
  scenes: number
  look: BuiltinOrigin['look']
  level: Level | 'mixed'
  onScene?: (done: number, of: number) => void
}

/** Readers know the datasets of VSI-Bench only: the files are where those of ScanNet are, under numbers it does not use. */
const DATASET = 'scannet'
const FIRST_SCENE = 9000

/** `test.jsonl`, a video and a mesh per scene, and the meta info. Returns the number of questions. */
export async function writeDataset(
  folder: string,
  { seed, scenes, look, level, onScene }: DatasetOptions,
): Promise<number> {
  const rows: VsiRow[] = []
  const meta: Record<string, SceneInfo> = {}
  for (let index = 0; index < scenes; index++) {
    const samples = makeSamples({ seed, index, look, level: levelOf(level, index), knobs: {} }).filter(
      (sample) => sample !== null,
    )
    const name = `scene${FIRST_SCENE + index}_00`
    const origin = samples[0]!.scene
    if (origin.kind !== 'builtin') continue
    for (const { type, question, truth, options } of samples) {
      rows.push({
        id: rows.length,
        dataset: DATASET,
        scene_name: name,
        question_type: type,
        question,
        ground_truth: truth,
        options: options === null ? null : [...options],
        pruned: false,
      })
    }
    const { scene, objects } = builtScene(origin)
    meta[name] = infoOf(objects, samples[0]!.floorArea ?? 0)
    const { bytes } = await (await openWalkthrough(origin, new DataFiles(), cameraFor(origin))).whole()
    await save(join(folder, DATASET, `${name}.mp4`), bytes)
    const mesh = coloredMesh(buildScene(scene, { look: 'plain' }).mesh)
    await save(join(folder, DATASET, 'scans', name, `${name}_vh_clean_2.ply`), writePly(mesh))
    onScene?.(index + 1, scenes)
  }
  await save(join(folder, 'test.jsonl'), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
  await save(join(folder, 'meta_info', `${DATASET}_meta_info_val.json`), JSON.stringify(meta))
  return rows.length
}

async function save(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

function infoOf(objects: readonly SceneObject[], area: number): SceneInfo {
  const boxes: SceneInfo['object_bbox'] = {}
  for (const { category, box } of objects) {
    const { min, max } = boundsOf(boxCorners(turnedBox(box)).flat())
    boxes[category] = [...(boxes[category] ?? []), { min: [...min], max: [...max] }]
  }
  const counts = Object.fromEntries(Object.entries(boxes).map(([category, { length }]) => [category, length]))
  return { room_size: area, object_counts: counts, object_bbox: boxes }
}

/** Scans have a color per vertex. */
function coloredMesh({ positions, indices, light, triangleMaterials, materials }: TriangleMesh): TriangleMesh {
  const colors = new Uint8Array(positions.length)
  for (let corner = 0; corner < indices.length; corner++) {
    const at = indices[corner]! * 3
    const { color } = materials[triangleMaterials?.[Math.floor(corner / 3)] ?? 0]!
    for (let k = 0; k < 3; k++) colors[at + k] = Math.min(255, color[k]! * Math.sqrt(light?.[at + k] ?? 1))
  }
  return { positions, indices, colors, materials: [] }
}
