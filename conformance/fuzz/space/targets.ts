import type { FuzzTarget } from '../target.ts'
import { answers } from './answers.ts'
import { fog, maps, revision, stability } from './beliefs.ts'
import { conversation } from './conversation.ts'
import { proxies } from './proxies.ts'

export const spaceTargets: Readonly<Record<string, FuzzTarget>> = {
  'space/conversation': conversation,
  'space/answers': answers,
  'space/maps': maps,
  'space/fog': fog,
  'space/stability': stability,
  'space/revision': revision,
  'space/proxies': proxies,
}
