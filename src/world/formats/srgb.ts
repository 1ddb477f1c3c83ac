/** Light and display values: glTF stores colours of vertices and factors as light, the mesh as sRGB bytes. */

/** Linear light 0…1 as an sRGB byte. */
export function linearToByte(value: number): number {
  const clamped = Math.min(1, Math.max(0, value))
  const display = clamped <= 0.003_130_8 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055
  return Math.round(display * 255)
}

/** Linear light 0…1 of each sRGB byte. */
export const BYTE_TO_LINEAR: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})
