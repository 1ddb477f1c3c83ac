import type { Moment } from './panel.ts'

/** Colors of steps, shared by timeline and transcript. */
export const MARK_COLOR: Readonly<Record<Moment['kind'], string>> = {
  ask: 'var(--color-quiet)',
  reply: 'var(--color-accent)',
  picture: 'var(--color-mark-picture, #7c5cd6)',
  move: 'var(--color-truth)',
  belief: 'var(--color-belief)',
  verdict: 'var(--color-mark-verdict, oklch(0.6 0.17 350))',
  note: 'var(--color-truth)',
  end: 'var(--color-ink)',
}

export const MARK_NAME: Readonly<Record<Moment['kind'], string>> = {
  ask: 'request',
  reply: 'reply',
  picture: 'image',
  move: 'move',
  belief: 'map',
  verdict: 'verdict',
  note: 'note',
  end: 'end',
}
