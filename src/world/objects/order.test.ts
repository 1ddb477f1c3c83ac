import { expect, test, vi } from 'vitest'
import { hashOf, sha256 } from '../../base/hash.ts'
import type { Material } from '../mesh.ts'

const plain = ({ name, color, roughness, metallic, glow, opacity }: Material) =>
  JSON.stringify([name, color, roughness, metallic, glow, opacity])
const painted = ({ texture }: Material) => (texture ? sha256(texture.rgba) : null)

const VARIANTS_BUILT = 3

/** What objects are made of when they are built one after the other by a process that has built nothing before. */
async function looksOf(order: (names: readonly string[]) => readonly string[]): Promise<Record<string, string>> {
  vi.resetModules()
  const { buildObject, categories } = await import('./catalogue.ts')
  const looks: Record<string, string> = {}
  for (const category of order(categories)) {
    for (let variant = 0; variant < VARIANTS_BUILT; variant++) {
      const { materials } = buildObject(category, variant).mesh
      // Textures take long to paint: those of bottles stand for all.
      const paint = category === 'bottle' ? materials.map(painted) : []
      looks[`${category} ${variant}`] = hashOf([materials.map(plain), paint])
    }
  }
  return looks
}

test('an object does not depend on what was built before it', async () => {
  const forth = await looksOf((names) => names)
  expect(await looksOf((names) => names.toReversed())).toEqual(forth)
  expect(Object.keys(forth).length).toBeGreaterThan(300)
})
