import { expect, test } from 'vitest'
import { readerFor } from '../parse.ts'

const OBJECTS = ['sofa', 'lamp', 'coffee table', 'bed']
const SIDES = ['to the left', 'to the right', 'in front', 'to the back']
const IMAGES = ['Both images', 'Only the first image', 'Only the second image', 'Neither image']
const CHAIRS = ['All of the chairs', 'Some of the chairs', 'None of the chairs']
const PICTURES = ['All of the images', 'Some of the images', 'None of the images']

/** The letter that is read, or null. */
const read = (reply: string, options = OBJECTS): unknown => readerFor({ options }, {}).read(reply)

test.each([
  ['A: matches the color. B: no. C: no. D: partially. The answer is D.', 'D'],
  ['A: fits the room. B: too low. C: too tall. D: the right size, final answer: D', 'D'],
  ['A: best lit. B: farther. C: closer. D: closest, which is what is asked. Answer: D', 'D'],
  ['A: it fits the room. B: too low. C: too tall. D: too wide.', 'A'],
  ['A: no oven. B: no shower. C: a bed, so it fits. D: no lamp.', 'C'],
  ['A: no. B: no. C: yes. D: no.', 'C'],
  ['A: no oven. B: no shower. C: there is a bed, so this fits the description. D: no corridor.', 'C'],
  ['A: wrong color; B: ✓; C: too small; D: hidden', 'B'],
])('where a reply goes through all options in a line, what it states comes first: %s', (reply, letter) => {
  expect(read(reply)).toBe(letter)
})

test.each([
  ['- [x] Step 1: look\n- [ ] Step 2: verify\nAnswer: C', 'C'],
  ['**Checklist**\n- [x] Looked at all frames\n- [ ] Measured\n\nFinal answer: C', 'C'],
  ['- [x] Visible: sofa\n- [ ] Visible: bed\n\nThe answer is B.', 'B'],
  ['- [ ] A\n- [x] B\n- [ ] C\n- [ ] D', 'B'],
  ['- [ ] A\n- [x] B', 'B'],
  ['- [ ] A sofa\n- [x] B lamp\n- [ ] C coffee table\n- [ ] D bed', 'B'],
  ['- [x] Option B\n- [ ] Option A', 'B'],
  ['- [x] sofa: visible\n- [ ] bed: visible\n\nThe lamp.', 'B'],
  ['- [ ] A. sofa\n- [x] B. lamp\n- [ ] C. coffee table\n- [ ] D. bed', 'B'],
  ['- [ ] sofa\n- [ ] lamp\n- [x] coffee table\n- [ ] bed', 'C'],
  ['- [ ] A\n- [x] B\n- [ ] C\n- [ ] D\n\nFinal answer: B', 'B'],
])('a ticked box answers if all boxes are options: %s', (reply, letter) => {
  expect(read(reply)).toBe(letter)
})

test.each([
  ['Both images failed to load.', IMAGES],
  ['Both images are too dark to tell.', IMAGES],
  ['Neither image loaded, sorry', IMAGES],
  ['Neither image loaded.', IMAGES],
  ['All I can see is one wall.', CHAIRS],
  ['None of the images were provided.', CHAIRS],
  ['None of the images were provided.', PICTURES],
  ['I cannot see the image. It is not A, B, or C.', OBJECTS],
  ['It is not A, not B and not C. I am unable to determine the answer from the image.', OBJECTS],
])('refusals answer nothing: %s', (reply, options) => {
  expect(read(reply, options)).toBeNull()
})

test.each([
  ['Both images show it.', IMAGES, 'A'],
  ['Neither shows it.', IMAGES, 'D'],
  ['Both images failed to load; my answer: B', IMAGES, 'B'],
  ['Both images failed to load.\n\nB', IMAGES, 'B'],
  ['Both chairs are too tall to fit.', ['Both', 'Neither'], 'A'],
  ['None of them', CHAIRS, 'C'],
  ['All chairs are visible.', CHAIRS, 'A'],
  ['It is not A, not B and not C.', OBJECTS, 'D'],
])('a quantifier, or the letter that is left, is an answer: %s', (reply, options, letter) => {
  expect(read(reply, options)).toBe(letter)
})

test.each([
  ['This points to B. The lamp is next to the bed.', OBJECTS, 'B'],
  ['Reply with A. The lamp', OBJECTS, 'A'],
  ['B would be right if the camera faced north, which it does.', OBJECTS, 'B'],
  ['B would be right if the camera faced north, which it does not. So C.', OBJECTS, 'C'],
  ['You face the sofa, then turn left to face the back.', SIDES, 'D'],
])('words near an option: %s', (reply, options, letter) => {
  expect(read(reply, options)).toBe(letter)
})

test('a direction names where a turn ends only at the end of the phrase', () => {
  expect(read('The lamp is on your right when you turn left to face the back wall', SIDES)).not.toBe('D')
})

test('one more of something is a remark, no count', () => {
  const count = readerFor({ options: null }, { answer: { kind: 'number' } })
  expect(count.read('There is one more chair')).toBeNull()
  expect(count.read('There is one more in the corner.')).toBeNull()
  expect(count.read('I count 2 chairs in frame 3 and one more in frame 9, giving 3 chairs.')).toBe(3)
})
