import { describe, expect, test } from 'vitest'
import { fromYawPitch } from '../../world/render/index.ts'
import { allPrompts, blindPrompt, explorePrompt, leaderboardPrompt, movementLine, videoPrompt } from './prompts.ts'
import { LETTERS, question } from '../../../test/support/suites/vsi.ts'
import { isNumberType, QUESTION_TYPES } from './domain/question-types.ts'

const pose = fromYawPitch([1.125, -2, 1.6], 90)
const state = {
  step: 0,
  steps: 15,
  pose,
  bounds: { min: [-1, -2.5, 0], max: [4, 3.25, 2.6] },
  show: 'full',
  walked: [],
  poses: [pose],
  profile: 'official',
  heading: false,
} as const

test('builds the explore prompt of a direction question verbatim', () => {
  const sample = question('object_rel_direction_medium', LETTERS, 'A')
  expect(explorePrompt(sample, state)).toMatchInlineSnapshot(`
    "## Image positions
    Image 0 is your initial view.
    - Image 0: [X=1.12m, Y=-2.00m, Z=1.60m]

    You are an embodied agent exploring a 3D room to answer a spatial reasoning question.

    ---
    **TASK: Relative Direction**
    You need to determine the direction of one object relative to another FROM A SPECIFIC VIEWPOINT.
    - First, locate WHERE you would be standing
    - Then, determine which direction you would be FACING
    - From that perspective, determine where the TARGET object is

    **Question:** What is where?
    **Options:**
    - A. left
    - B. right
    - C. back

    **Direction Reference:**
    - Imagine standing at the viewpoint and facing in the specified direction
    - Front-left: 45° to your left, Front-right: 45° to your right
    - Back-left: 45° behind you to the left, Back-right: 45° behind you to the right
    **Room Bounds:**
    - Room size: 5.0m (X) x 5.8m (Y)
    - X range: [-1.00, 4.00]
    - Y range: [-2.50, 3.25]
    - Your current position: X=1.12m, Y=-2.00m, Z=1.60m
    ---
    ## Your Exploration Journey:

    Below are ALL the images you have captured as you moved through the room.
    **IMPORTANT: Focus on the MOST RECENT image (bottom of list) first, then connect it to your journey.**
    - Image 0 = your initial starting position
    - Image 1+ = views after each of your movements

    ---
    **OUTPUT FORMAT:**

    Think step-by-step BEFORE providing JSON:

    1. **Current observation:** What do I see in the most recent image?
    2. **Objects found so far:** Which objects from the question have I identified?
    3. **Missing information:** What objects/perspectives do I still need to see?
    4. **Current opinion on answer:** Based on what I've seen, what's my best guess?
    5. **Next action:** Should I explore more or answer now?

    **DECISION RULE:**
    - If you have STRONG confidence in your answer → Set "done": true, provide "answer", NO movement needed
    - If you need more exploration → Provide movement commands, set "done": false

    Then output JSON:
    \`\`\`json
    {
      "rotation_angle_degrees": <-90 to 90, or 0 if done=true>,
      "forward_meters": <-1.0 to 1.0, or 0 if done=true>,
      "left_meters": <-0.5 to 0.5, or 0 if done=true>,
      "z_delta_meters": <-0.3 to 0.3, or 0 if done=true>,
      "answer": <"A"/"B"/"C"/"D" for MCQ or number for numerical, or null>,
      "done": <true/false>
    }
    \`\`\`

    ---
    **STEP 0/15** (15 steps remaining before you must answer)

    **MOVEMENT CONTROLS** (the rotation happens first, then you move along the NEW direction):
    - rotation_angle_degrees: positive turns LEFT, negative turns RIGHT
    - forward_meters: positive moves forward, negative moves backward
    - left_meters: positive moves left, negative moves right
    - z_delta_meters: positive moves the camera up, negative moves it down
    Larger values than the OUTPUT FORMAT allows are cut to its limits. Walls and furniture stop you.

    **EXAMPLES:**
    - Look left: rotation 45, forward 0, left 0
    - Turn left and walk: rotation 60, forward 0.8, left 0
    - Turn right and step aside: rotation -90, forward 0.6, left 0.3

    **STRATEGY:**
    - Turn to look for objects from the question that you have not seen yet
    - Move towards areas that you have not visited
    - Stay within the room
    - Set "done": true as soon as you are confident in your answer"
  `)
})

test('gives the hint and asks for the answer at the last step', () => {
  const sample = question('object_size_estimation', null, '75')
  const text = explorePrompt(sample, { ...state, step: 15 })
  expect(text).toContain('**FINAL STEP 15/15** - you must answer NOW.')
  expect(text).toContain('- Provide size in centimeters as an integer (e.g., 75)')
  expect(text).toContain('- Set "answer" to a number')
  expect(text).not.toContain('MOVEMENT CONTROLS')
})

describe('every type', () => {
  test.each(QUESTION_TYPES)('%s has prompts with every placeholder filled in', (type) => {
    const sample = question(type, isNumberType(type) ? null : LETTERS, 'A')
    const texts = [videoPrompt(sample, 8), blindPrompt(sample), leaderboardPrompt(sample)]
    if (type !== 'obj_appearance_order') texts.push(explorePrompt(sample, state))
    for (const text of texts) {
      expect(text).toContain('What is where?')
      expect(text).not.toMatch(/\{[a-z_]+\}/)
      expect(text.includes('C. back')).toBe(!isNumberType(type))
    }
    expect(videoPrompt(sample, 8)).toContain('You are viewing 8 frames')
    expect(blindPrompt(sample)).not.toMatch(/frame|video/)
  })

  test('does not expand placeholders in the question', () => {
    const sample = { ...question('object_counting', null, '4'), question: 'How many {bbox_text} $& are there?' }
    expect(explorePrompt(sample, state)).toContain('How many {bbox_text} $& are there?')
  })
})

test('includes all texts in the fingerprint', () => {
  expect(Object.keys(allPrompts()).length).toBeGreaterThan(45)
})

describe('a line of the history', () => {
  const move = { turnDegrees: -22.5, forwardMeters: -0.25, leftMeters: -0.5, upMeters: 0.3 }
  const walked = { asked: move, done: move, limited: false, blocked: false, stoppedBy: null, pose }

  test('is formatted like Python, with the vertical move that the published one omits', () => {
    expect(movementLine(walked, 1, { profile: 'official', show: 'full' })).toBe(
      'Step 1: turned 22° right, moved 0.2m backward, strafed 0.5m right, went 0.3m up → Image 1 (Position: X=1.12m, Y=-2.00m, Z=1.60m)',
    )
    expect(movementLine(walked, 1, { profile: 'upstream', show: 'full' })).not.toContain('up →')
  })

  test('shows the requested move if it was blocked', () => {
    const line = movementLine({ ...walked, done: { ...move, forwardMeters: 0 }, blocked: true }, 2, {
      profile: 'official',
      show: 'none',
    })
    expect(line).toContain('moved 0.0m forward')
    expect(line).toContain('you asked for -22°, forward -0.2m, left -0.5m, up 0.3m, but something was in the way')
    expect(line).not.toContain('Position')
  })
})

describe('the prompt of a built-in scene says only what is true', () => {
  const builtin = (type: (typeof QUESTION_TYPES)[number], scene: 'flat' | 'office') => ({
    ...question(type, LETTERS, 'A'),
    labels: { type, dataset: 'builtin', scene },
    scene: { kind: 'builtin', scene, seed: 1, look: 'plain' } as const,
  })
  const move = { turnDegrees: 90, forwardMeters: 0, leftMeters: 0, upMeters: 0 }
  const walked = [{ asked: move, done: move, limited: false, blocked: false, stoppedBy: null, pose }]

  test('images are above, quadrants only at the hard level, and a flat is a home', () => {
    const office = explorePrompt(builtin('object_rel_direction_easy', 'office'), state)
    expect(office).toContain('Above are ALL the images')
    expect(office).not.toContain('45°')
    expect(explorePrompt(builtin('object_rel_direction_hard', 'office'), state)).toContain('45°')
    const flat = explorePrompt(builtin('object_rel_direction_easy', 'flat'), state)
    expect(flat).toContain('exploring a 3D home')
    expect(flat).not.toContain('the room')
  })

  test('the last step does not ask for new places; the heading is told if asked for', () => {
    const sample = builtin('object_rel_direction_easy', 'office')
    const advice = 'choose places and directions'
    expect(explorePrompt(sample, { ...state, walked })).toContain(advice)
    expect(explorePrompt(sample, { ...state, walked, step: 15 })).not.toContain(advice)
    expect(explorePrompt(sample, { ...state, heading: true })).toContain('Z=1.60m], heading 90°')
  })
})
