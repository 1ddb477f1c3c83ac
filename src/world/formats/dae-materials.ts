import type { XmlElement } from '../../base/xml.ts'
import type { Material } from '../mesh.ts'
import type { DaeLibrary } from './dae-library.ts'
import { childrenOf, numbersIn, only, reference } from './dae-xml.ts'
import { fileName } from './gltf-document.ts'
import type { Shading } from './shade.ts'
import type { SiblingFiles } from './sibling-files.ts'

const SHADERS = ['phong', 'lambert', 'blinn', 'constant'] as const
const PLAIN: Material = { name: 'default', color: [200, 200, 200] }

export async function daeMaterials(
  library: DaeLibrary,
  elements: readonly (XmlElement | undefined)[],
  beside: SiblingFiles,
): Promise<{ materials: Material[]; shading: Shading[] }> {
  const read = await Promise.all(elements.map((element) => readMaterial(library, element, beside)))
  return { materials: read.map(({ material }) => material), shading: read.map(({ shading }) => shading) }
}

async function readMaterial(
  library: DaeLibrary,
  element: XmlElement | undefined,
  beside: SiblingFiles,
): Promise<{ material: Material; shading: Shading }> {
  const effect = library.get(reference(only(element, 'instance_effect')))
  const profile = only(effect, 'profile_COMMON')
  const technique = only(profile, 'technique')
  const shader = SHADERS.map((name) => only(technique, name)).find((found) => found !== undefined)
  const name = element?.attributes.get('name') ?? element?.attributes.get('id') ?? PLAIN.name
  if (!shader) return { material: { ...PLAIN, name }, shading: 'full' }
  const diffuse = only(shader, 'diffuse') ?? only(shader, 'emission')
  const map = only(diffuse, 'texture')
  const image = map && pictureOf(map.attributes.get('texture') ?? '', profile, effect, library)
  const texture = image === undefined ? undefined : await beside.texture(fileName(image))
  const color = colorOf(only(diffuse, 'color'))
  const glow = colorOf(only(only(shader, 'emission'), 'color'))
  // Black but for the light it gives off: a lamp or a screen.
  const shines = !map && glow !== undefined && color?.every((value) => value === 0) === true && Math.max(...glow) > 0
  const opacity = opacityOf(shader)
  return {
    material: {
      name,
      color: map ? [255, 255, 255] : ((shines ? glow : color) ?? PLAIN.color),
      ...(texture && { texture }),
      ...(opacity < 1 && { opacity }),
    },
    shading: shines || shader.name === 'constant' ? 'none' : texture ? 'soft' : 'full',
  }
}

/** The file of a texture: its sampler names a surface, which names an image; old files name the image at once. */
function pictureOf(
  sampler: string,
  profile: XmlElement | undefined,
  effect: XmlElement | undefined,
  library: DaeLibrary,
): string | undefined {
  const parameter = (sid: string) =>
    [...childrenOf(profile, 'newparam'), ...childrenOf(effect, 'newparam')].find(
      ({ attributes }) => attributes.get('sid') === sid,
    )
  const sampled = only(parameter(sampler), 'sampler2D')
  const surface = only(parameter(only(sampled, 'source')?.text.trim() ?? ''), 'surface')
  const id = reference(only(sampled, 'instance_image')) || (only(surface, 'init_from')?.text.trim() ?? '') || sampler
  const from = only(library.get(id), 'init_from')
  const file = only(from, 'ref')?.text.trim() ?? from?.text.trim()
  return file === undefined || file === '' ? undefined : file.replace(/^file:\/\/+(?=[A-Za-z]:|\/|\.)/, '')
}

function colorOf(element: XmlElement | undefined): [number, number, number] | undefined {
  if (!element) return undefined
  const values = numbersIn(element.text.slice(0, 1024))
  const byte = (k: number) => Math.round(Math.min(1, Math.max(0, values[k] || 0)) * 255)
  return [byte(0), byte(1), byte(2)]
}

/** Writers disagree on what is opaque; a surface that nobody could see is. */
function opacityOf(shader: XmlElement): number {
  const transparent = only(shader, 'transparent')
  const color = numbersIn(only(transparent, 'color')?.text.slice(0, 1024) ?? '')
  const amount = Number(only(only(shader, 'transparency'), 'float')?.text ?? 1)
  const factor = Number.isFinite(amount) ? Math.min(1, Math.max(0, amount)) : 1
  const zero = transparent?.attributes.get('opaque') === 'RGB_ZERO'
  const alpha = zero ? 1 - (color[0] ?? 0) * factor : (color[3] ?? 1) * factor
  return alpha > 0.02 && alpha < 1 ? alpha : 1
}
