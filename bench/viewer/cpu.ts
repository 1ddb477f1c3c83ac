/** CPU that the processes started from here have used. */
import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux; a tick is a hundredth of a second on every machine that is met today. */
const TICKS = 100

interface Process {
  parent: number
  seconds: number
}

/** Seconds of all living descendants of this process, and of those that they have outlived. */
export function cpuOfChildren(): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const found = read(name)
    if (found) processes.set(Number(name), found)
  }
  const isOurs = (pid: number): boolean => {
    for (let at = processes.get(pid); at; at = processes.get(at.parent)) if (at.parent === process.pid) return true
    return false
  }
  let seconds = 0
  for (const [pid, each] of processes) if (isOurs(pid)) seconds += each.seconds
  return seconds
}

function read(pid: string): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may have spaces; fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    return { parent: Number(fields[1]), seconds: ticks / TICKS }
  } catch {
    return null
  }
}
