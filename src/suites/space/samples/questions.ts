/** All tasks, and the questions of a scene. */
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

/** How often a question that was asked already is drawn anew. */
const REDRAWS = 20

/**
 * Questions about a scene, task by task, `perTask` of each of the nine or as many different ones as the scene has. The
 * same key gives the same questions, whatever other tasks are drawn. Profile `upstream` keeps duplicates, with `_dupN`
 * after their id.
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
  return tasks.flatMap((name) => ofOneTask(TASKS[name], scene, random.fork(name), perTask, profile))
}

function ofOneTask(task: Task, scene: Scene, random: Random, count: number, profile: Profile): Question[] {
  const questions = new Map<string, Question>()
  for (let wanted = 0; wanted < count; wanted++) {
    let question = task(scene, random, profile)
    for (let again = 0; question !== null && questions.has(question.id) && again < REDRAWS; again++) {
      question = task(scene, random, profile)
    }
    if (question === null) continue
    if (!questions.has(question.id)) questions.set(question.id, question)
    else if (profile === 'upstream') {
      const id = `${question.id}_dup${wanted}`
      questions.set(id, { ...question, id })
    }
  }
  return [...questions.values()]
}

/** The tasks that make up the score are all there. */
export function hasAllTasks(questions: readonly Question[]): boolean {
  const asked = new Set<string>(questions.map(({ task }) => task))
  return TASK_NAMES.every((name) => asked.has(name))
}
