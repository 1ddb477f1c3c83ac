/** Built-in scenes as geometry. */
import { hashOf, LruCache } from '../../../../suite.ts'
import { buildScene, generateScene, type Scene } from '../../../../world.ts'
import { floorArea, interiorBounds } from '../interior.ts'
import { type KnownScene, knownScene } from './known.ts'
import type { BuiltinOrigin } from './origin.ts'

export interface BuiltScene extends KnownScene {
  scene: Scene
  mesh: ReturnType<typeof buildScene>['mesh']
}

/** A few are enough: questions, stages and videos of one scene follow each other. */
const built = new LruCache<BuiltScene>(4)

/** The same for every look. */
export function builtScene(origin: BuiltinOrigin): BuiltScene {
  return built.getOrCreate(hashOf({ ...origin, look: null }), () => build(origin))
}

function build({
  scene: kind,
  seed,
  rooms,
  objects: furniture,
  clutter,
  lookAlikes,
  lighting,
  walkthrough,
}: BuiltinOrigin): BuiltScene {
  const scene = generateScene({
    kind,
    seed,
    ...(rooms !== undefined && { rooms }),
    ...(furniture !== undefined && { objects: furniture }),
    ...(clutter !== undefined && { clutter }),
    ...(lookAlikes !== undefined && { lookAlikes }),
    ...(lighting !== undefined && { lighting }),
  })
  const { mesh, objects } = buildScene(scene, { light: false })
  const contents = { objects, bounds: interiorBounds(scene), area: floorArea(scene), rooms: scene.rooms.length }
  return { ...knownScene(mesh, contents, walkthrough), mesh, scene }
}
