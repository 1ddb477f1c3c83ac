/** Playing as a person: the only part of the server that writes. Its addresses start with `/api/play/`. */
import type { Hono } from 'hono'
import type { Library } from './library.ts'

/** Suites whose built-in cases a person can play. */
export const PLAYABLE: ReadonlySet<string> = new Set()

export function mountPlay(_app: Hono, _library: Library): void {}
