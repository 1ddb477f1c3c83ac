import type { Check } from './check.ts'
import * as spaceAnswers from './space-answers.ts'
import * as spaceWorld from './space-world.ts'

/** Which check reads which oracle file. */
export const checks: Readonly<Record<string, Check>> = {
  'space/scoring.json': spaceAnswers.scoring,
  'space/cogmap.json': spaceAnswers.cogmap,
  'space/relations.json': spaceWorld.relations,
  'space/rooms.json': spaceWorld.rooms,
  'space/episodes.json': spaceWorld.episodes,
  'space/proxies.json': spaceWorld.proxies,
}
