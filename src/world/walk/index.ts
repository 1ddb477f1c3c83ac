export { clampToBounds, levelAxes, type Margins, type Move, moveThroughAll, NO_MOVE, turnPose } from './move.ts'
export { type MoveReport, Walker, type WalkerOptions } from './walker.ts'
