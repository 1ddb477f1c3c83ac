/** A move in a route: turn by degrees clockwise, or jump to something by name. */
export type Step = { turn: number } | { jump: string }
