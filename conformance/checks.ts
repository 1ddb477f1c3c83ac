import * as articulate from './articulate.ts'
import type { Check } from './agreement/check.ts'
import * as questions from './questions.ts'
import * as spaceAnswers from './space-answers.ts'
import * as spaceWorld from './space-world.ts'
import * as vbench from './vbench.ts'
import * as vsi from './vsi.ts'
import * as vsig from './vsig.ts'
import * as vsigPrompts from './vsig-prompts.ts'

/** Which check reads which oracle file. */
export const checks: Readonly<Record<string, Check>> = {
  'articulate/verifier.json': articulate.verifier,
  'articulate/joint_metrics.json': articulate.jointMetrics,
  'articulate/link_metrics.json': articulate.linkMetrics,
  'articulate/actor_critic_loop.json': articulate.actorCriticLoop,
  'articulate/driver_loop.json': articulate.driverLoop,
  'articulate/critics.json': articulate.critics,
  'articulate/dsl.json': articulate.dsl,
  'articulate/field.json': articulate.field,
  'articulate/retrieval.json': articulate.retrieval,
  'articulate/leak_and_fk.json': articulate.leakAndKinematics,
  'questions/readers.json': questions.readers,
  'questions/cv-bench.json': questions.cvBench,
  'questions/vlmevalkit.json': questions.vlmevalkit,
  'questions/mmsi-video.json': questions.mmsiVideo,
  'questions/spar.json': questions.spar,
  'questions/robospatial.json': questions.robospatial,
  'questions/revsi.json': questions.revsi,
  'space/scoring.json': spaceAnswers.scoring,
  'space/cogmap.json': spaceAnswers.cogmap,
  'space/relations.json': spaceWorld.relations,
  'space/rooms.json': spaceWorld.rooms,
  'space/episodes.json': spaceWorld.episodes,
  'space/proxies.json': spaceWorld.proxies,
  'vsi/scoring.json': vsi.scoring,
  'vsi/agent.json': vsi.agent,
  'vsi/tiny_ids.json': vsi.tinyIds,
  'vbench/aggregate.json': vbench.aggregate,
  'vbench/filematch.json': vbench.filematch,
  'vbench/flow_proxy.json': vbench.flowProxy,
  'vbench/rules.json': vbench.rules,
  'vbench/spatial_relationship.json': vbench.spatialRelationship,
  'vbench/temporal_flickering.json': vbench.temporalFlickering,
  'vsig/scoring.json': vsig.scoring,
  'vsig/prompts.json': vsigPrompts.prompts,
  'vsig/asr_windows.json': vsig.asrWindows,
}
