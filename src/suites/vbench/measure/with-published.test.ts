import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dimension } from '../domain/dimensions.ts'
import type { PromptFacts } from '../domain/prompts.ts'
import { publishedMeasures } from './with-published.ts'

const PYTHON = 'python3'
const hasPython = spawnSync(PYTHON, ['--version']).status === 0

/** A package with the interface of the published one: models are loaded, then one list is walked. */
const FILES: Readonly<Record<string, string>> = {
  'torch.py': `class cuda:
    is_available = staticmethod(lambda: False)
device = str
`,
  'vbench/__init__.py': '',
  'vbench/utils.py': `def init_submodules(dimension_list, local=False, read_frame=False):
    return {name: {"weights": name + ".pth"} for name in dimension_list}
def load_dimension_info(json_dir, dimension, lang):
    raise AssertionError("not to be called")
`,
  'vbench/scene.py': `import os
from vbench.utils import load_dimension_info
loads = 0
def distribute_list_to_rank(data): return data[0::1]
def scene(model, video_dict, device):
    video_results = []
    for info in video_dict:
        for path in info["video_list"]:
            print("chatter")
            hits = sum(word in info["prompt"] for word in info["auxiliary_info"]["scene"]["scene"].split(" "))
            if "crash" in info["prompt"]: raise ValueError("cannot read the video")
            video_results.append({"video_path": path, "video_results": hits / 16, "success_frame_count": hits, "frame_count": 16, "loads": model})
    return 1 / len(video_results), video_results
def compute_scene(json_dir, device, submodules_dict, **kwargs):
    global loads
    loads += 1
    assert submodules_dict["weights"] == "scene.pth"
    _, prompts = load_dimension_info(json_dir, dimension="scene", lang="en")
    return scene(loads, distribute_list_to_rank(prompts), device)
`,
  'vbench/human_action.py': `import os
from vbench.utils import load_dimension_info
def compute_human_action(json_dir, device, submodules_list, **kwargs):
    video_list, _ = load_dimension_info(json_dir, dimension="human_action", lang="en")
    video_results = []
    for video_path in video_list:
        label = video_path.split("/")[-1].lower().split("-")[0].split("person is ")[-1]
        video_results.append({"video_path": video_path, "video_results": label == "skating" and os.path.exists(video_path), "cor_num_per_video": 1})
    return 0, video_results
`,
  'vbench/color.py': `from vbench.utils import load_dimension_info
def compute_color(json_dir, device, submodules_list, **kwargs):
    video_results = []
    for info in load_dimension_info(json_dir, dimension="color", lang="en")[1]:
        if info["auxiliary_info"]["color"] == "red": video_results.append({"video_results": 0.25})
    return 0, video_results
`,
}

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vbench-published-'))
  await mkdir(join(root, 'vbench'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(root, name), text)
  await writeFile(join(root, 'kept'), 'a video')
  const wrapper = `#!/bin/sh\nPYTHONPATH='${root}' exec ${PYTHON} "$@"\n`
  await writeFile(join(root, 'python'), wrapper, { mode: 0o755 })
})
afterAll(() => rm(root, { recursive: true, force: true }))

const refuse = () => Promise.reject(new Error('asks and keeps nothing'))

test.runIf(hasPython)('measures one video after the other in one process of the published evaluator', async () => {
  const dimensions = ['scene', 'human_action', 'color'] as const
  const measures = await publishedMeasures(join(root, 'python'), dimensions)
  expect(measures.map(({ tier, outputs }) => [tier, ...outputs])).toEqual(dimensions.map((each) => ['exact', each]))
  expect(new Set(measures.map(({ version }) => version)).size).toBe(3)
  const measured = async (dimension: Dimension, prompt: string, facts: PromptFacts = {}) => {
    const info = { width: 8, height: 8, frames: 3, fps: 8, seconds: 1 }
    const context = {
      path: join(root, 'kept'),
      info,
      prompt: { prompt, facts },
      episode: { ask: refuse, keep: refuse },
    }
    const measure = measures.find(({ outputs }) => outputs.includes(dimension))!
    return (await measure.start(context, new Set([dimension])).end())[dimension]
  }
  const scene = { scene: 'ice rink' }
  const both = await Promise.all([measured('scene', 'an ice rink', scene), measured('scene', 'ice', scene)])
  expect(both).toMatchObject([
    { value: 2 / 16, sum: 2, weight: 16, detail: { loads: 1 } },
    { value: 1 / 16, sum: 1, weight: 16, detail: { loads: 1 } },
  ])
  // An error ends the process; the next video gets another.
  await expect(measured('scene', 'crash', scene)).rejects.toThrow('cannot read the video')
  expect(await measured('scene', 'an ice rink', scene)).toMatchObject({ sum: 2 })
  expect(await measured('scene', 'no facts')).toMatchObject({ value: null })
  expect(await measured('human_action', 'A person is skating')).toMatchObject({ value: 1 })
  expect(await measured('color', 'a red car', { color: 'red' })).toMatchObject({ value: 0.25 })
  expect(await measured('color', 'a blue car', { color: 'blue' })).toMatchObject({ value: null })
})

test('says what is missing where the published evaluator cannot be run', async () => {
  await expect(publishedMeasures('/no/python', ['scene'])).rejects.toThrow('/no/python was not found')
})
