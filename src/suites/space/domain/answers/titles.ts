import type { TaskName } from './question.ts'

/** Task titles, as in the paper. */
export const TASK_TITLES: Readonly<Record<TaskName, string>> = {
  dir: 'Pairwise direction',
  pov: 'Perspective taking',
  bwd_pov_text: 'Perspective decision',
  fwd_fov: 'Action to view',
  bwd_nav_text: 'View to action',
  e2a: 'Allocentric map',
  rot: 'Mental rotation',
  fwd_loc: 'Location to view',
  bwd_loc_text: 'View to location',
}
