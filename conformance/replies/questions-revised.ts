/** Replies that revise, suppose, rule out or count on before they answer, written before anyone looked at the readers. */
import type { ModernReplies } from './questions-modern.ts'

const POINTS = ['Point A', 'Point B', 'Point C']
const ROOMS = ['the kitchen', 'the bathroom', 'the bedroom', 'the hallway']
const IMAGES = ['the second image', 'the third image']
const ROTATIONS = ['90 degrees clockwise', '180 degrees', '90 degrees counterclockwise', 'no rotation']
const PLACES = ['the bookshelf', 'the radiator', 'the desk lamp', 'the waste bin']
const DIRS = ['North', 'Southeast', 'West', 'Northwest']
const LENGTHS = ['0.8 m', '1.6 m', '2.5 m', '4.0 m']
export const REVISED: readonly ModernReplies[] = [
  {
    title: 'choice of objects',
    rules: { answer: { kind: 'choice' } },
    options: PLACES,
    replies: [
      ['Looking at frame 12, the radiator sits directly under the window. Hence option (B) fits best.', 'B'],
      ['Initially I thought the answer was A, but after re-examining the third picture, it has to be D.', 'D'],
      [
        '<think>\nOkay, so the user asks which object is closest. A... no. B? The radiator is 2m off. C then.\n</think>\n\nThe object closest to the door is the **desk lamp (C)**.',
        'C',
      ],
      [
        "Let's check each one:\n\n1. A – bookshelf: 3.1 m\n2. B – radiator: 1.2 m\n3. C – desk lamp: 2.0 m\n4. D – waste bin: 2.8 m\n\nSmallest distance → B",
        'B',
      ],
      ["I'm sorry, but I can't see any images in our conversation. Please upload them again.", null],
      ['$\\boxed{\\text{D. the waste bin}}$', 'D'],
      ['Reasoning: the bookshelf (A) is occluded, the radiator (B) is across the room.\nConclusion: C', 'C'],
      ['{"thought": "B and C are both near, but B is nearer", "choice": "B"}', 'B'],
      ['答案是（C）台灯。', 'C'],
      ['正确答案：B', 'B'],
      ['Die richtige Antwort ist D.', 'D'],
      ['La réponse est : « A » (the bookshelf).', 'A'],
      ['La respuesta correcta es la opción C.', 'C'],
      ['選択肢Bが正解です。', 'B'],
      ['Между A и C я выбираю C.', 'C'],
      ['Either A or C could be right; without depth information I cannot tell which.', null],
      ["If I had to guess, I'd go with A, though the picture is blurry.", 'A'],
      ['Answer: B\n\nWait, the question asks for the *farthest* object. The waste bin is farther.\n\nAnswer: D', 'D'],
      [
        'B. the radiator\n\nExplanation: A is on the far wall, C stands on the desk, and D is next to the door but further than B.',
        'B',
      ],
      [
        'The bookshelf is not the closest, nor is the radiator. The desk lamp is closer than the waste bin, so the desk lamp.',
        'C',
      ],
      ['Not A, not B, not D.', 'C'],
      [
        '**Step 1:** Locate the camera.\n**Step 2:** Option A is behind us.\n**Step 3:** Option D is to our left.\n\n**Therefore, the correct choice is:** D',
        'D',
      ],
      ['<answer>\n\\boxed{A}\n</answer>', 'A'],
      ['```\nB\n```', 'B'],
      ['(c)', 'C'],
      ['The correct option is "C" since A camera cannot see behind itself.', 'C'],
      ["A robot standing at the door would see the waste bin first. So I'd say the waste bin.", 'D'],
      ["None of the above; the closest object is the chair, which isn't listed.", null],
      ['Option A would be right if the camera faced north, but it faces south, which makes D right.', 'D'],
      ['I choose B (confidence: 70%), second guess C (20%).', 'B'],
    ],
  },
  {
    title: 'choice of compass points',
    rules: { answer: { kind: 'choice' } },
    options: DIRS,
    replies: [
      ['The window faces south, so turning 180° gives north. Answer: North', 'A'],
      ['The couch is northwest of the TV.', 'D'],
      ['From west, rotating 45° clockwise leads to Northwest.\n\n**Northwest**', 'D'],
      ['It is in the south-east corner → B.', 'B'],
      ['East of the table is the door; west of it the plant. The question asks about the plant, so **West**.', 'C'],
    ],
  },
  {
    title: 'yes or no',
    rules: { answer: { kind: 'yes-no' } },
    options: null,
    replies: [
      ['The mug is on the left of the plate, not on the right. Therefore the statement is false.', false],
      ['Yes — although the cable blocks part of it, there is enough room.', true],
      ['I see no obstacle between the chair and the table. So yes, it fits.', true],
      ['Hmm, at first glance yes, but the shelf is in the way. No.', false],
      ['是的，它可以放下。', true],
      ['Unclear from the image.', null],
      ['```json\n{"fits": false, "answer": "no"}\n```', false],
      ["There isn't sufficient space; it can't be placed there.", false],
    ],
  },
  {
    title: 'metres',
    rules: { answer: { kind: 'number', unit: 'm' } },
    options: null,
    replies: [
      ['The door is about 2 m high and spans 400 pixels; the gap spans 260 pixels, so 2 × 260/400 = 1.3 m.', 1.3],
      ['≈ 140 cm', 1.4],
      ['Between 2 and 3 meters, probably around 2.4.', 2.4],
      ['$$d = \\sqrt{1.2^2 + 0.9^2} = 1.5\\,\\text{m}$$', 1.5],
      ['The distance is roughly 5 feet (1.52 m).', 1.52],
      ['**Estimated distance:** 3,2 m', 3.2],
      ['I cannot measure distances from a single picture.', null],
      ['First estimate: 4 m. Taking the perspective into account, I revise this to 3.5 m.', 3.5],
      ['half a metre', 0.5],
    ],
  },
  {
    title: 'counts',
    rules: { answer: { kind: 'number' } },
    options: null,
    replies: [
      ['I count 2 chairs in frame 3 and one more in frame 9, giving 3 chairs.', 3],
      ['- Frame 1: 1 chair\n- Frame 5: 2 chairs (one of them seen before)\n\nTotal: **2**', 2],
      ['There are four monitors on 2 desks.', 4],
      ['七', 7],
      ['No chairs are visible.', 0],
      ['<think>1, 2, 3... maybe 6</think>\n\\boxed{5}', 5],
    ],
  },
  {
    title: 'choice of lengths',
    rules: { answer: { kind: 'choice' } },
    options: LENGTHS,
    replies: [
      ['My estimate is 1.5 m, and the closest option is 1.6 m.', 'B'],
      ['C) 2.5 m', 'C'],
    ],
  },
  {
    title: 'choice of rooms',
    rules: { answer: { kind: 'choice' } },
    options: ROOMS,
    replies: [
      ['My first guess was the hallway, but the tiles and the mirror point to the bathroom.', 'B'],
      ['I initially leaned towards C. Looking at the tiles, however, the answer is B.', 'B'],
      ['Could be the kitchen or the hallway. The oven settles it: kitchen.', 'A'],
      ['Option B is tempting because of the tiles, but the oven tells us it is A.', 'A'],
      ['We can rule out A, B and C.', 'D'],
      ['A: no oven. B: no shower. C: there is a bed, so this fits. D: no corridor.', 'C'],
      ['**Answer**\n\n- [ ] A\n- [ ] B\n- [x] C\n- [ ] D', 'C'],
      ['Respuesta final: D) el pasillo', 'D'],
      ['Ich würde sagen: C.', 'C'],
      ['根据图片，应该选B。', 'B'],
      ['Réponse : B', 'B'],
      ['The next room after the bedroom is the bathroom.', 'B'],
      ['Without the video I am unable to tell which room it is.', null],
      ['[B]', 'B'],
      ['{"reasoning": "I see a bed", "answer": {"letter": "C", "text": "the bedroom"}}', 'C'],
      ['Final choice = D', 'D'],
      ['So it comes down to A and D. The narrow shape favors D.', 'D'],
      ['C is what I would have answered, had the bed been visible. Since it is not, A.', 'A'],
    ],
  },
  {
    title: 'choice of points',
    rules: { answer: { kind: 'choice' } },
    options: POINTS,
    replies: [
      ['Point A is brighter than point C. Closest: B.', 'B'],
      ['B > A > C in terms of distance, so the farthest is B.', 'B'],
      ['C is behind A, and A is behind B, hence B is nearest.', 'B'],
      ['Point B.\n\nPoint A lies on the wall and Point C on the ceiling.', 'B'],
    ],
  },
  {
    title: 'choice of images',
    rules: { answer: { kind: 'choice' } },
    options: IMAGES,
    replies: [
      ['Image 3 matches better than image 2.', 'B'],
      ['Comparing the pictures, the third has the same brush strokes.', 'B'],
      ['(A) the second image', 'A'],
    ],
  },
  {
    title: 'choice of rotations',
    rules: { answer: { kind: 'choice' } },
    options: ROTATIONS,
    replies: [
      ['The camera rotated 90° clockwise.', 'A'],
      ['It turned by half a circle, i.e. 180 degrees.', 'B'],
      ['There was no rotation at all.', 'D'],
      ['90 degrees, counterclockwise', 'C'],
    ],
  },
  {
    title: 'yes or no, revised',
    rules: { answer: { kind: 'yes-no' } },
    options: null,
    replies: [
      ['No, wait. The cup is on the tray, so yes.', true],
      ["I'd say it does not fit. No.", false],
      ['The statement is correct.', true],
      ['It would be yes if the lid were open, but it is closed, so no.', false],
    ],
  },
  {
    title: 'counts, revised',
    rules: { answer: { kind: 'number' } },
    options: null,
    replies: [
      ['I count three in the first frame and two more in the second, for a total of five.', 5],
      ['My initial count was 4, but one is a reflection, so 3.', 3],
      ['Three.', 3],
      ['三个', 3],
      ['There are 6 chairs around 1 table.', 6],
    ],
  },
  {
    title: 'metres, revised',
    rules: { answer: { kind: 'number', unit: 'm' } },
    options: null,
    replies: [
      ['I initially estimated 2 m, but the rug is 3 m long and ends at the wall, so 3 m.', 3],
      ['Roughly a meter and a half.', 1.5],
      ["It's 80 centimeters, give or take 10.", 0.8],
    ],
  },
]
