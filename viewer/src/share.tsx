/** The page of a shared folder. */
import './app/style.css'
import { folderSource } from './data/folder.ts'
import { mount } from './mount.tsx'

const source = folderSource()

/** One run, or one episode: there is no board to begin with. */
async function begin(): Promise<void> {
  if (/^#?\/?$/.test(location.hash)) {
    const page = await source.first().catch(() => null)
    if (page !== null) location.replace(`#${page}`)
  }
  await mount(source)
}

void begin()
