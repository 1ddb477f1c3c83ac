/** What is asked of the renderer and what it gives. */

export interface RenderOptions {
  width: number
  height: number
  /** @default true */
  color?: boolean
  /** @default false */
  depth?: boolean
  /** The thing seen in each pixel. @default false */
  ids?: boolean
  /** The mesh's triangle seen in each pixel; the scene must be prepared with `keepTriangleNumbers`. @default false */
  triangles?: boolean
  /** Four samples per pixel for color. Depth and ids are always those of the pixel's center. @default false */
  antialias?: boolean
  /** sRGB 0…255 where nothing is; `none` leaves it transparent. @default [255, 255, 255] */
  background?: readonly [number, number, number] | 'none'
  /** Nothing above this height (world z, meters) is drawn: for maps and dollhouses. */
  cutAbove?: number
  /** Leave out triangles whose corners run clockwise as seen: walls seen from outside. @default false */
  hideBackFaces?: boolean
  /** Factor on all light in lit scenes. @default 1 */
  exposure?: number
}

export interface Picture {
  width: number
  height: number
  /**
   * sRGB r, g, b of each pixel, rows from top to bottom; with background `none` r, g, b and alpha, of which the colors are
   * already a part (premultiplied). Empty if not asked for.
   */
  color: Uint8Array
  /** Meters along the view axis to the first solid surface; 0 where there is none. Empty if not asked for. */
  depth: Float32Array
  /** `triangleInstances` of the first solid surface; 0 where there is none. Empty if not asked for. */
  ids: Uint16Array
  /** Triangle numbers of the mesh, `NO_TRIANGLE` where there is none. Empty if not asked for. */
  triangles: Uint32Array
}

export const NO_TRIANGLE = 0xffffffff

/** What a pass is to leave behind. */
export interface Wanted {
  color: boolean
  depth: boolean
  ids: boolean
  triangles: boolean
  /** The view has twice the picture's width and height; average color down to the picture. */
  halve: boolean
  /** Color has an alpha channel. */
  alpha: boolean
}

/** What a drawing left behind. */
export type Layers = Omit<Picture, 'width' | 'height'>

/** Draws a view of a scene. What it gives is only valid until it draws again in the same place: 0 or 1, as a picture has passes. */
export interface Engine {
  draw(view: Float32Array, wanted: Wanted, place?: number): Layers
}
