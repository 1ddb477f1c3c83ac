/** The shared stage for 3D. Import it lazily: it brings three.js along. */
export { disposeOf } from './dispose.ts'
export { loadGlb } from './glb.ts'
export type { Label } from './labels.ts'
export { StageView } from './stage-view.tsx'
export { Stage, type View } from './stage.ts'
