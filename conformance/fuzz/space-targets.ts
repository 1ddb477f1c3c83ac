import type { FuzzTarget } from './target.ts'
import { answers } from './space-answers.ts'
import { fog, maps, revision, stability } from './space-beliefs.ts'
import { conversation } from './space-conversation.ts'
import { proxies } from './space-proxies.ts'

export const spaceTargets: Readonly<Record<string, FuzzTarget>> = {
  'space/conversation': conversation,
  'space/answers': answers,
  'space/maps': maps,
  'space/fog': fog,
  'space/stability': stability,
  'space/revision': revision,
  'space/proxies': proxies,
}
