/** The shared 3D stage. Import it lazily, because it includes three.js. */
export { disposeTree as disposeOf } from './dispose.ts'
export { loadGlb } from './glb.ts'
export type { Label } from './labels.ts'
export { StageView } from './stage-view.tsx'
export { Stage, type View } from './stage.ts'
