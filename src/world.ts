/** `sightline/world`: rooms, objects, lighting, renderer, mesh formats, robots, geometry and navigation. */

// Meshes and materials.
export type { Material, OrientedBox, SceneObject, TriangleMesh } from './world/mesh.ts'
export { AXES } from './world/axes.ts'
export { compose, type Frame, frameOf, inverse, moved, turned } from './world/frames.ts'
export { type JoinedMesh, joinLitMeshes, joinMeshes, type PlacedMesh } from './world/join.ts'
export * from './world/formats/index.ts'

// Rooms and objects from a seed.
export { generateScene, type SceneOptions } from './world/rooms/generate.ts'
export { roomArea } from './world/rooms/blocks.ts'
export { buildScene, SCENE_LOOKS, type SceneLook, sceneObjects, sceneOccluders } from './world/rooms/assemble.ts'
export { ROOM_KINDS, type RoomKind } from './world/rooms/kinds.ts'
export { lightsOf } from './world/rooms/lights.ts'
export { type Lighting, LIGHTINGS, type Scene, SCENE_KINDS, sceneHash, type SceneKind } from './world/rooms/scene.ts'
export { buildObject, categories, type Category, isCategory, VARIANTS } from './world/objects/catalogue.ts'
export { buildInstance } from './world/objects/instance.ts'
export type { ObjectModel } from './world/objects/model.ts'
export { circle, curve, type ObjectMesh, type Occluder, Sculpture } from './world/objects/shapes.ts'
export { anyWood, BRIGHT } from './world/objects/parts.ts'
export { cosine, sine, TAU, turnOf } from './world/trig.ts'
export * from './world/objects/finish-list.ts'
export { globeTexture } from './world/materials/scenery.ts'
export { desktopScreen } from './world/materials/screens.ts'

// Lighting and rendering.
export { type AreaLight, bakeLight, type LightSetup } from './world/light/bake.ts'
export { BoxCaster } from './world/light/boxes.ts'
export { contactPatches } from './world/light/contact.ts'
export { refine } from './world/light/refine.ts'
export { studioMesh } from './world/light/studio.ts'
export * from './world/render/index.ts'

// Geometry, navigation, video tours.
export * from './world/geometry/index.ts'
export { type Move, clampToBounds, moveThroughAll, NO_MOVE } from './world/walk/move.ts'
export { Walker } from './world/walk/walker.ts'
export { film } from './world/film/film.ts'
export { planTour, type Tour, type TourFrame, type TourPath, TOUR_PATHS } from './world/film/tour.ts'
export { chooseViewpoints } from './world/film/viewpoints.ts'

// Robots.
export * from './world/urdf/index.ts'
export type { Pose, Vec3 } from './world/render/index.ts'
export type { Pose as JointOrigin } from './world/urdf/index.ts'
