/** A second host on this machine: a network namespace whose link can be taken down. Needs root. */
import { execFileSync } from 'node:child_process'

export interface OtherHost {
  /** Address of this machine on the link. */
  here: string
  name: string
  pull(): void
  plug(): void
  remove(): void
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Null if namespaces cannot be created: not root, or forbidden in this container. */
export function makeOtherHost(): OtherHost | null {
  const name = `sl${process.pid}`
  const inside = `${name}b`
  const net = `10.231.${process.pid % 250}`
  const remove = (): void => {
    try {
      ip('netns', 'del', name)
    } catch {
      // It did not exist.
    }
  }
  try {
    ip('netns', 'add', name)
    ip('link', 'add', `${name}a`, 'type', 'veth', 'peer', 'name', inside)
    ip('link', 'set', inside, 'netns', name)
    ip('addr', 'add', `${net}.1/24`, 'dev', `${name}a`)
    ip('link', 'set', `${name}a`, 'up')
    ip('netns', 'exec', name, 'ip', 'addr', 'add', `${net}.2/24`, 'dev', inside)
    ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'up')
    ip('netns', 'exec', name, 'ip', 'link', 'set', 'lo', 'up')
  } catch {
    remove()
    return null
  }
  return {
    here: `${net}.1`,
    name,
    // Takes the other end down: this side keeps its address, and packets are lost silently.
    pull: () => ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'down'),
    plug: () => ip('netns', 'exec', name, 'ip', 'link', 'set', inside, 'up'),
    remove,
  }
}
