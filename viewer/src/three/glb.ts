/** Loads GLB files. Nothing is fetched: images are decoded from the file itself. */
import { type Group, RepeatWrapping, Texture } from 'three'
import { GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js'

/** glTF is y up; the stage is z up. */
const UPRIGHT = Math.PI / 2
/** Floors are viewed at shallow angles. */
const ANISOTROPY = 4

export async function loadGlb(bytes: ArrayBuffer): Promise<Group> {
  const loader = new GLTFLoader()
  loader.register((parser) => ({ name: 'SIGHTLINE_pictures', loadTexture: (index) => textureOf(parser, index) }))
  const { scene } = await loader.parseAsync(bytes, '')
  scene.rotation.x = UPRIGHT
  scene.updateMatrixWorld(true)
  return scene
}

/** Decodes an embedded texture. External ones stay blank. */
async function textureOf(parser: GLTFParser, index: number): Promise<Texture> {
  const { textures, images } = parser.json as { textures?: TextureRef[]; images?: ImageRef[] }
  const image = images?.[textures?.[index]?.source ?? -1]
  const texture = new Texture()
  texture.flipY = false
  texture.wrapS = RepeatWrapping
  texture.wrapT = RepeatWrapping
  if (image?.bufferView === undefined) return texture
  const view: unknown = await parser.getDependency('bufferView', image.bufferView)
  if (!(view instanceof ArrayBuffer)) return texture
  texture.image = await createImageBitmap(new Blob([view], { type: image.mimeType ?? 'image/png' }), {
    imageOrientation: 'none',
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  })
  texture.anisotropy = ANISOTROPY
  texture.needsUpdate = true
  return texture
}

interface TextureRef {
  source?: number
}

interface ImageRef {
  bufferView?: number
  mimeType?: string
}
