/** Fields of more than one kind of request. */
import { z } from 'zod'

export const seedSchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const personName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u, 'use up to 40 letters, digits, dots, hyphens and underscores')
