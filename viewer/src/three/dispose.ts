import { Material, type Object3D, Texture } from 'three'

/** Frees GPU memory: geometries, materials and their textures. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    if ('geometry' in object && isDisposable(object.geometry)) object.geometry.dispose()
    if (!('material' in object)) return
    const materials: readonly unknown[] = Array.isArray(object.material) ? object.material : [object.material]
    for (const material of materials) if (material instanceof Material) disposeMaterial(material)
  })
}

function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (value instanceof Texture) value.dispose()
  material.dispose()
}

function isDisposable(value: unknown): value is { dispose(): void } {
  return typeof value === 'object' && value !== null && 'dispose' in value && typeof value.dispose === 'function'
}
