import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { canDrawChinese } from './fonts.ts'

it('finds a font with Chinese characters in the folders of the system', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-fonts-test-'))
  try {
    await writeFile(join(folder, 'DejaVuSans.ttf'), '')
    expect(canDrawChinese([folder, join(folder, 'nowhere')])).toBe(false)
    await mkdir(join(folder, 'opentype', 'noto'), { recursive: true })
    await writeFile(join(folder, 'opentype', 'noto', 'NotoSansCJK-Regular.ttc'), '')
    expect(canDrawChinese([folder])).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})
