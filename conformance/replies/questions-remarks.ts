/** Replies that say more than the answer: remarks about other options, parts of a sum, other things that are counted. */
import type { ModernReplies } from './questions-modern.ts'

const OBJECTS = ['sofa', 'lamp', 'table', 'chair']

export const REMARKS: readonly ModernReplies[] = [
  {
    title: 'remarks about other objects',
    rules: { answer: { kind: 'choice' } },
    options: OBJECTS,
    replies: [
      ['The sofa is more than 3 m away. The chair is about 1 m away. The chair is closest.', 'D'],
      ['The table is the most prominent object. The object closest to the stove is the chair.', 'D'],
      ['The sofa is closer to the window. The closest object to the stove is the chair (D).', 'D'],
      ['A is more than 3 m away. D is within 1 m.', 'D'],
      ['Overall, the sofa is more distant. The closest object is the chair.', 'D'],
      ['Based on the picture, the table is more to the left than the chair, hence B.', 'B'],
      ['Therefore the sofa is closer than the lamp, so not A but B.', 'B'],
      ['The sofa is closer to the window. The stove is in the corner. D.', 'D'],
      ['At first it is A that seems right. The lamp hides it. C.', 'C'],
      ['A is closest. D is farther away.', 'A'],
      ['The lamp is the closest. It is closer to the stove by far. The chair is at the wall.', 'B'],
      ['The best option for the question is the lamp. The sofa is far.', 'B'],
      ['Based on the image, A is closer to the wall than the others, so it must be the lamp.', 'B'],
      ['My choice in this case is hard: the sofa is far, so D.', 'D'],
      ['My choice here is between the sofa and the chair. It must be D.', 'D'],
      ['The result for the sofa is 3 m, for the lamp 2 m. Thus the chair, D.', 'D'],
    ],
  },
  {
    title: 'remarks about the other point',
    rules: { answer: { kind: 'choice' } },
    options: ['Point A', 'Point B'],
    replies: [
      ['A is closer to the camera. The farther point is B.', 'B'],
      ['Point A is better lit. Point B is nearer to the camera.', 'B'],
    ],
  },
  {
    title: 'a length beside others',
    rules: { answer: { kind: 'number', unit: 'm' } },
    options: null,
    replies: [
      ['My estimate for the door is 2 m. So the room is 5 m wide.', 5],
      ['The estimate for the sofa is 2 m and the gap is 1 m, so the distance is 3 m.', 3],
      ['The result for the first part is 2 m. In total the distance is 5 m.', 5],
      ['The answer is 2.5 m, with a total of 6 m of walls', 2.5],
      ['1.5 m 20 objects', 1.5],
      ['The answer is 2.5 m 12 chairs wide', 2.5],
      ['The answer is 1 m 80.', 1.8],
      ['It is about 1 m 80 wide.', 1.8],
      ['The answer is 2 m 12 chairs wide', 2],
    ],
  },
  {
    title: 'a count beside others',
    rules: { answer: { kind: 'number' } },
    options: null,
    replies: [
      ['The answer is 4 out of 10 in total.', 4],
      ['The answer is 3 of the 8 chairs in total.', 3],
      ['The answer is 2 chairs, with 6 seats in total.', 2],
      ['The answer is 5, as there is a total of 2 rooms.', 5],
      ['Answer: 6 chairs, of which a total of 4 are red', 6],
      ['The answer is 2 by the desk and 3 around the table, 5 in total.', 5],
      ['I see a few chairs. There are no obstructions in the view.', null],
      ['There are chairs. No tables are visible.', null],
      ['There are no more chairs in the room.', null],
      ['There is a single row of chairs.', null],
      ['There is a single lamp next to several chairs.', null],
      ['There is a single lamp next to the chairs.', null],
      ['There is just a single chair near the door.', 1],
    ],
  },
]
