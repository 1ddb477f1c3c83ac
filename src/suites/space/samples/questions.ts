/** Generates the questions of a scene. */
import { Random } from '../../../suite.ts'
import type { Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import { bwdLoc } from './questions/bwd-loc.ts'
import { bwdNav } from './questions/bwd-nav.ts'
import { bwdPov } from './questions/bwd-pov.ts'
import { dir } from './questions/dir.ts'
import { e2a } from './questions/e2a.ts'
import { fwdFov } from './questions/fwd-fov.ts'
import { fwdLoc } from './questions/fwd-loc.ts'
import { pov } from './questions/pov.ts'
import { type Question, TASK_NAMES, type TaskName } from '../domain/answers/question.ts'
import { rot } from './questions/rot.ts'
import type { Task } from './questions/task.ts'

const TASKS: Readonly<Record<TaskName, Task>> = {
  dir,
  pov,
  bwd_pov_text: bwdPov,
  fwd_fov: fwdFov,
  bwd_nav_text: bwdNav,
  e2a,
  rot,
  fwd_loc: fwdLoc,
  bwd_loc_text: bwdLoc,
}

/** Maximum number of redraws for a duplicate question. */
const MAX_REDRAWS = 20

/**
 * Generates `perTask` questions for each task, or as many distinct ones as the scene allows. The same key gives the same
 * questions, whatever other tasks are selected. Profile `upstream` keeps duplicates, with `_dupN` appended to their id.
 *
 * @example
 * generateQuestions(scene, 'space/questions/7', 3, 'fixed')
 */
export function generateQuestions(
  scene: Scene,
  key: string,
  perTask = 3,
  profile: Profile = 'fixed',
  tasks: readonly TaskName[] = TASK_NAMES,
): Question[] {
  const random = new Random(key)
  return tasks.flatMap((name) => questionsForTask(TASKS[name], scene, random.fork(name), perTask, profile))
}

function questionsForTask(task: Task, scene: Scene, random: Random, count: number, profile: Profile): Question[] {
  const questions: Question[] = []
  // Two questions with the same words can have different ground truths; the published code asks both.
  const keyOf = ({ id, text }: Question): string => (profile === 'upstream' ? id : text)
  const asked = new Set<string>()
  for (let wanted = 0; wanted < count; wanted++) {
    let question = task(scene, random, profile)
    for (let again = 0; question !== null && asked.has(keyOf(question)) && again < MAX_REDRAWS; again++) {
      question = task(scene, random, profile)
    }
    if (question === null) continue
    if (!asked.has(keyOf(question))) questions.push(question)
    else if (profile === 'upstream') questions.push({ ...question, id: `${question.id}_dup${wanted}` })
    asked.add(keyOf(question))
  }
  return questions
}

/** Is there at least one question of every task? */
export function hasAllTasks(questions: readonly Question[]): boolean {
  const asked = new Set<string>(questions.map(({ task }) => task))
  return TASK_NAMES.every((name) => asked.has(name))
}
