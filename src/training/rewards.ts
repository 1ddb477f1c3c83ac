/**
 * What the end of an episode is worth. `score`: the metric of success, 0 to 1. `signed`: 1 for success, −1 for anything
 * else. `graded`: as the published agent for VSI is rewarded: 1.5 × score − 0.5, and −1 without an answer.
 */
export const REWARDS = ['score', 'signed', 'graded'] as const
export type Reward = (typeof REWARDS)[number]
