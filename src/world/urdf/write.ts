/** URDF as text: attributes in a fixed order, so that equal robots give equal bytes. */
import { escapeXml } from '../../base/escape-xml.ts'
import type { Vec3 } from '../vector.ts'
import type { Geometry, Joint, Link, Pose, Robot, Shape, UrdfMaterial } from './model.ts'

export function writeUrdf(robot: Robot): string {
  const lines = ['<?xml version="1.0"?>', `<robot name="${escapeXml(robot.name)}">`]
  for (const link of robot.links) lines.push(...linkLines(link))
  for (const joint of robot.joints) lines.push(...jointLines(joint))
  lines.push('</robot>')
  return `${lines.join('\n')}\n`
}

function linkLines({ name, visuals, collisions, inertial }: Link): string[] {
  const inside = [
    ...(inertial
      ? [
          '<inertial>',
          ...originLines(inertial.origin).map((line) => `  ${line}`),
          `  <mass value="${inertial.mass}"/>`,
          `  <inertia ${['ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'].map((key, i) => `${key}="${inertial.inertia[i]}"`).join(' ')}/>`,
          '</inertial>',
        ]
      : []),
    ...visuals.flatMap((shape) => shapeLines('visual', shape)),
    ...collisions.flatMap((shape) => shapeLines('collision', shape)),
  ]
  if (inside.length === 0) return [`  <link name="${escapeXml(name)}"/>`]
  return [`  <link name="${escapeXml(name)}">`, ...inside.map((line) => `    ${line}`), '  </link>']
}

function shapeLines(kind: 'visual' | 'collision', { name, origin, geometry, material }: Shape): string[] {
  return [
    `<${kind}${name === undefined ? '' : ` name="${escapeXml(name)}"`}>`,
    ...originLines(origin).map((line) => `  ${line}`),
    `  <geometry>${geometryText(geometry)}</geometry>`,
    ...(material ? [`  ${materialText(material)}`] : []),
    `</${kind}>`,
  ]
}

function geometryText(geometry: Geometry): string {
  switch (geometry.kind) {
    case 'box':
      return `<box size="${words(geometry.size)}"/>`
    case 'sphere':
      return `<sphere radius="${geometry.radius}"/>`
    case 'cylinder':
    case 'capsule':
      return `<${geometry.kind} length="${geometry.length}" radius="${geometry.radius}"/>`
    case 'mesh': {
      const plain = geometry.scale.every((scale) => scale === 1)
      return `<mesh filename="${escapeXml(geometry.filename)}"${plain ? '' : ` scale="${words(geometry.scale)}"`}/>`
    }
  }
}

function materialText({ name, rgba, texture }: UrdfMaterial): string {
  const inside = `${rgba ? `<color rgba="${rgba.join(' ')}"/>` : ''}${texture === undefined ? '' : `<texture filename="${escapeXml(texture)}"/>`}`
  return inside === ''
    ? `<material name="${escapeXml(name)}"/>`
    : `<material name="${escapeXml(name)}">${inside}</material>`
}

function jointLines(joint: Joint): string[] {
  const { name, type, parent, child, origin, axis, limit, mimic, dynamics, extras = {} } = joint
  const inside = [
    `<parent link="${escapeXml(parent)}"/>`,
    `<child link="${escapeXml(child)}"/>`,
    ...originLines(origin),
    ...(type === 'fixed' || type === 'floating' ? [] : [`<axis xyz="${words(axis)}"/>`]),
    ...(limit ? [`<limit ${attributes(['effort', 'lower', 'upper', 'velocity'], limit)}/>`] : []),
    ...(mimic
      ? [`<mimic joint="${escapeXml(mimic.joint)}" multiplier="${mimic.multiplier}" offset="${mimic.offset}"/>`]
      : []),
    ...(dynamics ? [`<dynamics ${attributes(['damping', 'friction'], dynamics)}/>`] : []),
    ...Object.entries(extras).map(
      ([element, values]) =>
        `<${element} ${Object.entries(values)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, value]) => `${key}="${escapeXml(value)}"`)
          .join(' ')}/>`,
    ),
  ]
  return [`  <joint name="${escapeXml(name)}" type="${type}">`, ...inside.map((line) => `    ${line}`), '  </joint>']
}

function attributes<Key extends string>(keys: readonly Key[], values: Readonly<Partial<Record<Key, number>>>): string {
  return keys.flatMap((key) => (values[key] === undefined ? [] : [`${key}="${values[key]}"`])).join(' ')
}

function originLines({ xyz, rpy }: Pose): string[] {
  if ([...xyz, ...rpy].every((value) => value === 0)) return []
  const turn = rpy.every((value) => value === 0) ? '' : ` rpy="${words(rpy)}"`
  return [`<origin${turn} xyz="${words(xyz)}"/>`]
}

function words(v: Vec3): string {
  return v.map((value) => (Object.is(value, -0) ? 0 : value)).join(' ')
}
