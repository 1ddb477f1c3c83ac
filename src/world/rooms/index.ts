/** Built-in rooms: make a scene, build its triangles, know what is where. */
export { type BuiltScene, buildScene, sceneObjects } from './assemble.ts'
export { type Violation, checkScene } from './check.ts'
export { type SceneOptions, generateScene } from './generate.ts'
export { ROOM_KINDS, type RoomKind, SCENE_KINDS, type Scene, type SceneKind, sceneHash, sceneSchema } from './scene.ts'
