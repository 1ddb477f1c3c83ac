import type { FuzzTarget } from '../target.ts'
import { conversation } from './conversation.ts'

export const spaceTargets: Readonly<Record<string, FuzzTarget>> = {
  'space/conversation': conversation,
}
