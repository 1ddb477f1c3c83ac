/** The software bill of materials of a release, in CycloneDX's JSON: what npm installs, and what the viewer contains. */

export interface Bom {
  metadata: { component: Component }
  components: readonly Component[]
  dependencies: readonly { ref: string; dependsOn?: readonly string[] }[]
}

interface Component {
  'bom-ref': string
  name: string
  version: string
  scope?: string
  properties?: readonly { name: string; value: string }[]
}

const DEVELOPMENT = 'cdx:npm:package:development'
/** `## three - 0.187.0 (MIT)` in the list that the viewer's build writes. */
const BUNDLED = /^## (\S+) - (\S+) \((.*)\)$/gm

/** The packages in a `licenses.md` of the viewer. */
export function bundledPackages(licenses: string): { name: string; version: string; license: string }[] {
  return Array.from(licenses.matchAll(BUNDLED), ([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
  }))
}

/** Keeps of npm's list what users get: no tools of development, except what is bundled, which is part of the package. */
export function releaseBom(all: Bom, packages: readonly { name: string; version: string }[]): Bom {
  const bundled = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  const isDevelopment = ({ properties = [] }: Component): boolean => properties.some(({ name }) => name === DEVELOPMENT)
  const components = all.components.flatMap((component) => {
    const isBundled = bundled.has(`${component.name}@${component.version}`)
    if (!isBundled) return isDevelopment(component) ? [] : [component]
    const properties = component.properties?.filter(({ name }) => name !== DEVELOPMENT) ?? []
    return [
      { ...component, scope: 'required', properties: [...properties, { name: 'sightline:bundled', value: 'true' }] },
    ]
  })
  const missing = [...bundled].filter((ref) => !components.some(({ name, version }) => `${name}@${version}` === ref))
  if (missing.length > 0) throw new Error(`Bundled, but not in package-lock.json: ${missing.join(', ')}`)
  const root = all.metadata.component
  const kept = new Set([root, ...components].map((component) => component['bom-ref']))
  return {
    ...all,
    // npm calls it after the folder.
    metadata: { ...all.metadata, component: { ...root, name: 'sightline' } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) })),
  }
}
