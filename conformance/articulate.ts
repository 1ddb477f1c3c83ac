/** The Articulate suites against the published metrics, critics, verifiers, loops and program language. */
export { critics } from './articulate/critics.ts'
export { field } from './articulate/field.ts'
export { leakAndKinematics } from './articulate/leak.ts'
export { actorCriticLoop, driverLoop } from './articulate/loops.ts'
export { jointMetrics, linkMetrics } from './articulate/metrics.ts'
export { dsl } from './articulate/program.ts'
export { verifier } from './articulate/verifier.ts'
export { retrieval } from './articulate/retrieval.ts'
