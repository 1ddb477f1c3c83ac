import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aheadOf,
  bearingDegrees,
  cardinalBin,
  cardinalBinOfCells,
  closestHeading,
  distanceBin,
  distanceBinOfSquare,
  DISTANCE_LABELS,
  EGO_LABELS,
  egoBinOfCells,
  facingWord,
  headingName,
  rightOf,
  rotateHeading,
  wallWord,
} from './relations.ts'
import { egoBin } from '../../../../../test/support/suites/space/bins.ts'
import { EAST, HEADINGS, NORTH, SOUTH, WEST } from './scene.ts'

describe('bin edges', () => {
  it.each([
    [0, 'front'],
    [-45, 'front-left'],
    [-22.5, 'front-slight-left'],
    [22.5, 'front-slight-right'],
    [45, 'front-right'],
    [45.01, 'beyond-fov'],
    [-45.01, 'beyond-fov'],
    [180, 'beyond-fov'],
  ])('a bearing of %d° is %s', (bearing, label) => {
    expect(EGO_LABELS[egoBin(bearing)]).toBe(label)
  })

  it('falls through to the last bin on an open edge, as the published code does', () => {
    expect([-45.001, -22.501, -0.001, 0.001, 22.501, 45.001, -180].map(egoBin)).toEqual([6, 6, 6, 6, 6, 6, 6])
    expect([-46, 46].map(egoBin)).toEqual([0, 6])
  })

  it.each([
    [0, 'same distance'],
    [2, 'near'],
    [4, 'mid distance'],
    [8, 'slightly far'],
    [16, 'far'],
    [32, 'very far'],
    [32.1, 'extremely far'],
  ])('%d cells is %s', (distance, label) => {
    expect(DISTANCE_LABELS[distanceBin(distance)]).toBe(label)
  })

  it('includes the lower edge of cardinal bins, for any angle', () => {
    expect([-22.5, 22.5, 67.5, 180, 337.5, 720].map(cardinalBin)).toEqual([0, 1, 2, 4, 0, 0])
  })
})

describe('integer shortcuts', () => {
  it('agree with the functions that use angles and square roots', () => {
    const cell = fc.integer({ min: -120, max: 120 })
    fc.assert(
      fc.property(cell, cell, fc.constantFrom(...HEADINGS), (dx, dy, heading) => {
        const bearing = bearingDegrees([0, 0], heading, [dx, dy])
        const right = rightOf(heading, dx, dy)
        const ahead = aheadOf(heading, dx, dy)
        expect(egoBinOfCells(right, ahead)).toBe(egoBin(bearing))
        expect(cardinalBinOfCells(right, ahead)).toBe(cardinalBin(bearing))
        expect(distanceBinOfSquare(dx * dx + dy * dy)).toBe(distanceBin(Math.hypot(dx, dy)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('headings', () => {
  it('turns clockwise for positive degrees', () => {
    expect([0, 90, 180, 270, -90, 360].map((degrees) => headingName(rotateHeading(NORTH, degrees)))).toEqual([
      'north',
      'east',
      'south',
      'west',
      'west',
      'north',
    ])
  })

  it('takes the first of N, E, S, W in a tie', () => {
    expect(closestHeading(3, 3)).toBe(NORTH)
    expect(closestHeading(3, -3)).toBe(EAST)
    expect(closestHeading(-2, -3)).toBe(SOUTH)
    expect(closestHeading(-4, 1)).toBe(WEST)
  })

  it('names facings and walls from the viewer', () => {
    expect(HEADINGS.map((facing) => facingWord(facing, EAST))).toEqual(['left', 'forward', 'right', 'backward'])
    // The normal of a door straight ahead points back at the viewer: it is on the front wall.
    expect(HEADINGS.map((normal) => wallWord(normal, EAST))).toEqual(['right', 'back', 'left', 'front'])
  })
})
