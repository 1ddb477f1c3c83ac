import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { program } from '../../src/cli/program.ts'

const folder = new URL('../../deploy/kubernetes/', import.meta.url)

/** The Kubernetes fields that our manifests use, by their API names; a typo in any of them is an error. */
const labels = z.record(z.string(), z.string())
const quantity = z.string().regex(/^\d+(?:m|[KMG]i)?$/)
const resources = z.strictObject({
  requests: z.record(z.string(), quantity),
  limits: z.record(z.string(), quantity).optional(),
})
const port = z.number().int().min(1).max(65_535)
const metadata = z
  .strictObject({ name: z.string(), generateName: z.string(), namespace: z.literal('sightline'), labels })
  .partial()
const selector = z.strictObject({ matchLabels: labels })
const secretKey = z.strictObject({ name: z.string(), key: z.string() })
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.union([
          z.strictObject({ secretKeyRef: secretKey }),
          z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
        ]),
      }),
    ]),
  ),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: port })).optional(),
  readinessProbe: z
    .strictObject({ tcpSocket: z.strictObject({ port: z.string() }), periodSeconds: z.number().int() })
    .optional(),
  resources,
  securityContext: z
    .strictObject({
      allowPrivilegeEscalation: z.literal(false),
      capabilities: z.strictObject({ drop: z.array(z.string()) }),
    })
    .optional(),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string().startsWith('/') })),
})
const pod = z.strictObject({
  metadata,
  spec: z.strictObject({
    restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
    terminationGracePeriodSeconds: z.number().int().optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().int(),
      fsGroup: z.number().int(),
    }),
    containers: z.array(container),
    volumes: z
      .array(
        z.union([
          z.strictObject({ name: z.string(), persistentVolumeClaim: z.strictObject({ claimName: z.string() }) }),
          z.strictObject({ name: z.string(), emptyDir: z.strictObject({ sizeLimit: quantity }) }),
        ]),
      )
      .optional(),
  }),
})
const claim = z.strictObject({ accessModes: z.array(z.literal('ReadWriteOnce')), resources })

function kind<Kind extends string, Fields extends z.ZodRawShape>(apiVersion: string, name: Kind, fields: Fields) {
  return z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(name), metadata, ...fields })
}

const schema = z.discriminatedUnion('kind', [
  kind('v1', 'Namespace', {}),
  kind('v1', 'Secret', { type: z.literal('Opaque'), stringData: z.record(z.string(), z.string()) }),
  kind('v1', 'PersistentVolumeClaim', { spec: claim }),
  kind('v1', 'Service', {
    spec: z.strictObject({
      clusterIP: z.literal('None'),
      selector: labels,
      ports: z.array(z.strictObject({ name: z.string(), port })),
    }),
  }),
  kind('apps/v1', 'StatefulSet', {
    spec: z.strictObject({
      serviceName: z.string(),
      replicas: z.number().int(),
      selector,
      template: pod,
      volumeClaimTemplates: z.array(z.strictObject({ metadata, spec: claim })),
    }),
  }),
  kind('apps/v1', 'Deployment', { spec: z.strictObject({ replicas: z.number().int(), selector, template: pod }) }),
  kind('batch/v1', 'Job', { spec: z.strictObject({ backoffLimit: z.number().int(), template: pod }) }),
  kind('policy/v1', 'PodDisruptionBudget', {
    spec: z.strictObject({ maxUnavailable: z.string().regex(/^\d+%$/), selector }),
  }),
  kind('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(
        z.strictObject({
          from: z.array(
            z.strictObject({
              podSelector: z.strictObject({
                matchExpressions: z.array(
                  z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }),
                ),
              }),
            }),
          ),
          ports: z.array(z.strictObject({ protocol: z.literal('TCP'), port })),
        }),
      ),
    }),
  }),
])

interface Resource {
  kind: string
  metadata: { namespace?: string }
}

const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
const manifests = files.flatMap((file) =>
  parseAllDocuments(readFileSync(new URL(file, folder), 'utf8')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!
    return { file, resource: document.toJS() as Resource }
  }),
)

describe('the Kubernetes manifests', () => {
  it('are complete', () => {
    expect(manifests.map(({ resource }) => resource.kind).sort()).toEqual([
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

  it.each(manifests.map(({ file, resource }) => [`${file}: ${resource.kind}`, resource] as const))(
    '%s has only known fields',
    (_, resource) => {
      expect(schema.safeParse(resource).error?.issues ?? []).toEqual([])
    },
  )

  it('fail validation with a typo in a name or a wrong type', () => {
    const { resource } = manifests.find((each) => each.resource.kind === 'Deployment')!
    const deployment = schema.parse(resource)
    if (deployment.kind !== 'Deployment') throw new Error('not a deployment')
    const template = { ...deployment.spec.template }
    const mistakes = [
      { replicas: 'four' },
      { template: { ...template, spec: { ...template.spec, terminationGraceSeconds: 45 } } },
    ]
    for (const mistake of mistakes)
      expect(schema.safeParse({ ...deployment, spec: { ...deployment.spec, ...mistake } }).success).toBe(false)
  })

  it('select existing pods', () => {
    const pods = manifests.flatMap(({ resource }) => {
      const { data } = schema.safeParse(resource)
      return data?.kind === 'Deployment' || data?.kind === 'StatefulSet' ? [data.spec] : []
    })
    expect(pods).toHaveLength(2)
    for (const { selector, template } of pods) expect(template.metadata.labels).toMatchObject(selector.matchLabels)
  })

  it('use one namespace and contain no secret except the example', () => {
    for (const { file, resource } of manifests) {
      if (resource.kind !== 'Namespace') expect(resource.metadata.namespace, file).toBe('sightline')
      const text = JSON.stringify(resource)
      if (resource.kind !== 'Secret') expect(text, file).not.toMatch(/change-me|:\/\/[^/"]*@/)
    }
  })

  it('use existing command-line options', () => {
    const known = new Set(program.commands.flatMap(({ options }) => options.map(({ long }) => long)))
    const used = manifests.flatMap(({ resource }) => JSON.stringify(resource).match(/--[a-z][a-z-]+/g) ?? [])
    const ours = new Set(used.filter((option) => !/append|maxmemory|save|requirepass/.test(option)))
    expect(ours.size).toBeGreaterThan(4)
    expect([...ours].filter((option) => !known.has(option))).toEqual([])
  })
})
