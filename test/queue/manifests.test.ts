import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'

const folder = new URL('../../deploy/kubernetes/', import.meta.url)

interface Resource {
  apiVersion: string
  kind: string
  metadata: { name?: string; generateName?: string; namespace?: string }
}

interface Model {
  validate(): void
}

const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
const resources = files.flatMap((file) =>
  parseAllDocuments(readFileSync(new URL(file, folder), 'utf8')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!
    return { file, resource: document.toJS() as Resource }
  }),
)

/** The checker looks at every field that it knows. What it never looked at is a field that Kubernetes does not have. */
function watched<T extends object>(value: T, path: string, unseen: Set<string>): T {
  for (const key of Object.keys(value)) if (!Array.isArray(value)) unseen.add(`${path}.${key}`)
  return new Proxy(value, {
    get(target, key, receiver) {
      unseen.delete(`${path}.${String(key)}`)
      const found: unknown = Reflect.get(target, key, receiver)
      return typeof found === 'object' && found !== null ? watchedOnce(found, `${path}.${String(key)}`, unseen) : found
    },
    ownKeys(target) {
      // A map, such as labels: any name is right.
      for (const key of Object.keys(target)) unseen.delete(`${path}.${key}`)
      return Reflect.ownKeys(target)
    },
  })
}

const proxies = new WeakMap<object, object>()
function watchedOnce(value: object, path: string, unseen: Set<string>): object {
  const known = proxies.get(value)
  if (known) return known
  const proxy = watched(value, path, unseen)
  proxies.set(value, proxy)
  return proxy
}

async function check(resource: Resource): Promise<string[]> {
  const place = resource.apiVersion === 'v1' ? 'v1' : resource.apiVersion
  const module = (await import(`kubernetes-models/${place}/${resource.kind}`)) as Record<
    string,
    new (data: object) => Model
  >
  const made = module[resource.kind]!
  new made(structuredClone(resource)).validate()
  const unseen = new Set<string>()
  const model = new made({})
  // Validators read `this`; a watched one tells what they read.
  const view = watched(
    Object.assign(Object.create(Object.getPrototypeOf(model) as object) as object, resource),
    '',
    unseen,
  )
  ;(view as unknown as Model).validate()
  return [...unseen]
}

describe('the manifests for Kubernetes', () => {
  it('are there', () => {
    expect(resources.map(({ resource }) => resource.kind).sort()).toEqual([
      'Deployment',
      'Job',
      'Namespace',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Secret',
      'Service',
      'StatefulSet',
    ])
  })

  it.each(resources.map(({ file, resource }) => [`${file}: ${resource.kind}`, resource] as const))(
    '%s fits the schema of the cluster, with no field that it does not know',
    async (_, resource) => {
      expect(await check(resource)).toEqual([])
    },
  )

  it('would be refused with a slip in a name or a type', async () => {
    const deployment = resources.find(({ resource }) => resource.kind === 'Deployment')!.resource
    const slip = structuredClone(deployment) as unknown as {
      spec: { replicas: unknown; template: { spec: Record<string, unknown> } }
    }
    slip.spec.template.spec['terminationGraceSeconds'] = 45
    expect(await check(slip as unknown as Resource)).toEqual(['.spec.template.spec.terminationGraceSeconds'])
    slip.spec.replicas = 'four'
    await expect(check(slip as unknown as Resource)).rejects.toThrow()
  })

  it('are all in one name space and hold no secret but in the example', () => {
    for (const { file, resource } of resources) {
      if (resource.kind !== 'Namespace') expect(resource.metadata.namespace, file).toBe('sightline')
      const text = JSON.stringify(resource)
      if (resource.kind !== 'Secret') expect(text, file).not.toMatch(/change-me|:\/\/[^/"]*@/)
    }
  })

  it('use options that the command line has', async () => {
    const main = readFileSync(new URL('../../src/cli/main.ts', import.meta.url), 'utf8')
    const used = resources.flatMap(({ resource }) => JSON.stringify(resource).match(/--[a-z][a-z-]+/g) ?? [])
    const ours = new Set(used.filter((option) => !/append|maxmemory|save|requirepass/.test(option)))
    expect(ours.size).toBeGreaterThan(4)
    for (const option of ours) expect(main, option).toContain(`${option} <`)
  })
})
