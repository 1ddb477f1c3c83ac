/**
 * The solid-modelling vocabulary that every object is made of: rounded boxes, cushions, turned and swept bodies,
 * extruded outlines and free sheets, under a stack of placements.
 */
import type { Finish } from '../materials/finishes.ts'
import { box, cushion, extrudeFrustum, strip } from './boxes.ts'
import { MeshBuilder } from './builder.ts'
import type { Outline } from './outline.ts'
import { disc, flatPanel, panel, patch, sheet, sheetBoard } from './sheets.ts'
import { extrude, tube } from './swept.ts'
import { ball, cylinder, cylinderX, lathe } from './turned.ts'
import type { Vec3 } from '../vector.ts'

export type { ObjectMesh, Occluder } from './builder.ts'
export { circle, curve } from './paths.ts'
export type { Vec3 }

/** Each word adds a body, and gives the sculpture back for the next. What is left out is as the word's own file says. */
export class Sculpture extends MeshBuilder {
  /** A box around `center` with rounded edges. Grain runs along the longer side of each face. */
  box(finish: Finish, size: Vec3, center: Vec3, round?: number, steps?: number): this {
    box(this, finish, size, center, round, steps)
    return this
  }

  /** A soft body: a rounded box whose top and bottom swell by `puff`. */
  cushion(
    finish: Finish,
    size: Vec3,
    center: Vec3,
    shape?: { round?: number; puff?: number; grid?: number; sides?: number },
  ): this {
    cushion(this, finish, size, center, shape)
    return this
  }

  /** A body turned about the z axis through `base`; `profile` runs from bottom to top as radius, height. */
  lathe(finish: Finish, profile: readonly (readonly [number, number])[], base?: Vec3, segments?: number): this {
    lathe(this, finish, profile, base, segments)
    return this
  }

  /** An upright cylinder with softened rims. */
  cylinder(finish: Finish, radius: number, height: number, base: Vec3, segments?: number, round?: number): this {
    cylinder(this, finish, radius, height, base, segments, round)
    return this
  }

  /** A cylinder that lies along +x from `base`: knobs, wheels, dials. */
  cylinderX(finish: Finish, radius: number, length: number, base: Vec3, segments?: number, round?: number): this {
    cylinderX(this, finish, radius, length, base, segments, round)
    return this
  }

  /** A body that narrows from a lower to an upper rectangle (sizes along x and y), the upper one shifted by `shift`. */
  extrudeFrustum(
    finish: Finish,
    lower: readonly [number, number],
    upper: readonly [number, number],
    z0: number,
    z1: number,
    shift?: number,
  ): this {
    extrudeFrustum(this, finish, lower, upper, z0, z1, shift)
    return this
  }

  ball(finish: Finish, radii: Vec3, center: Vec3, segments?: number): this {
    ball(this, finish, radii, center, segments)
    return this
  }

  /** A round bar along a path. `radius` may change along it (t from 0 to 1). */
  tube(
    finish: Finish,
    path: readonly Vec3[],
    radius: number | ((t: number) => number),
    sides?: number,
    closed?: boolean,
  ): this {
    tube(this, finish, path, radius, sides, closed)
    return this
  }

  /** A straight tube. */
  rod(finish: Finish, from: Vec3, to: Vec3, radius: number | ((t: number) => number), sides?: number): this {
    return this.tube(finish, [from, to], radius, sides)
  }

  /** A flat outline in the x-y plane, `height` thick along z from `base`, with a small chamfer on its rims. */
  extrude(finish: Finish, outline: Outline, height: number, base?: Vec3): this {
    extrude(this, finish, outline, height, base)
    return this
  }

  /** A free surface: `place` gives the point for u and v in 0…1. `repeat` scales the texture. */
  sheet(
    finish: Finish,
    columns: number,
    rows: number,
    place: (u: number, v: number) => Vec3,
    repeat?: readonly [number, number],
  ): this {
    sheet(this, finish, columns, rows, place, repeat)
    return this
  }

  /** An upright board that faces +x and bows backwards by `bow` in its middle: chair backs. */
  sheetBoard(finish: Finish, thick: number, width: number, height: number, center: Vec3, bow: number): this {
    sheetBoard(this, finish, thick, width, height, center, bow)
    return this
  }

  /** A flat picture that faces +x: `width` along y, `height` along z, seen upright from the front. */
  panel(finish: Finish, width: number, height: number, center: Vec3): this {
    panel(this, finish, width, height, center)
    return this
  }

  /** A flat grid with lines at the given cuts, without the cells that `skip` names by their middle. */
  patch(
    finish: Finish,
    us: readonly number[],
    vs: readonly number[],
    place: (u: number, v: number) => Vec3,
    normal: Vec3,
    uv: (u: number, v: number) => readonly [number, number],
    skip?: (u: number, v: number) => boolean,
  ): this {
    patch(this, finish, us, vs, place, normal, uv, skip)
    return this
  }

  /** A round picture that faces +x. */
  disc(finish: Finish, radius: number, center: Vec3, segments?: number): this {
    disc(this, finish, radius, center, segments)
    return this
  }

  /** A flat picture that lies face up, its top edge toward −x (read by someone in front of it). */
  flatPanel(finish: Finish, depth: number, width: number, center: Vec3): this {
    flatPanel(this, finish, depth, width, center)
    return this
  }

  /** A plain box that wears the part from u0 to u1 of a picture on every upright face, and its edge on top: a book. */
  strip(finish: Finish, u0: number, u1: number, center: Vec3, size: Vec3): this {
    strip(this, finish, u0, u1, center, size)
    return this
  }
}
