/** Entry point of an exported folder. */
import './app/style.css'
import { folderSource } from './data/folder.ts'
import { mount } from './mount.tsx'

const source = folderSource()

/** A folder contains one run or one episode, so it does not start on the leaderboard. */
async function begin(): Promise<void> {
  if (/^#?\/?$/.test(location.hash)) {
    const page = await source.startPage().catch(() => null)
    if (page !== null) location.replace(`#${page}`)
  }
  await mount(source)
}

void begin()
