/** What the corpus of VSIG replies is about: the same answers, written in every manner. */

export interface SceneSlot {
  what: string
  /** In the convention that is asked for: x first, 0…1000. */
  point: readonly [number, number]
  /** Milliseconds. */
  time: readonly [number, number]
}

export interface Scene {
  command: string
  slots: readonly SceneSlot[]
}

export const SCENES: readonly Scene[] = [
  {
    command: 'Pick up the red mug with the white handle.',
    slots: [{ what: 'red mug', point: [523, 411], time: [1200, 1800] }],
  },
  { command: '把银色圆柱体拿起来', slots: [{ what: '银色圆柱体', point: [394, 906], time: [640, 1320] }] },
  {
    command: 'Put the blue screwdriver on the free area next to the vise.',
    slots: [
      { what: 'blue screwdriver', point: [88, 655], time: [950, 1500] },
      { what: 'free area next to the vise', point: [701, 302], time: [2400, 3100] },
    ],
  },
  {
    command: '把黑色长方体打印件放到白色零件的右面',
    slots: [
      { what: '黑色长方体打印件', point: [455, 720], time: [1100, 1900] },
      { what: '白色零件的右面', point: [612, 548], time: [2600, 3400] },
    ],
  },
  {
    command: 'Move the yellow gear to the left of the box, then pick up the pliers.',
    slots: [
      { what: 'yellow gear', point: [250, 480], time: [800, 1400] },
      { what: 'left of the box', point: [377, 519], time: [2000, 2900] },
      { what: 'pliers', point: [866, 143], time: [4200, 5000] },
    ],
  },
  {
    command: '把小齿轮放到大齿轮的前面，然后把螺丝刀放到盒子的后面',
    slots: [
      { what: '小齿轮', point: [310, 640], time: [1500, 2100] },
      { what: '大齿轮的前面', point: [420, 777], time: [2700, 3600] },
      { what: '螺丝刀', point: [905, 233], time: [5200, 5900] },
      { what: '盒子的后面', point: [560, 190], time: [6600, 7400] },
    ],
  },
  { command: 'Hand me the small brass nut.', slots: [{ what: 'brass nut', point: [7, 993], time: [1010, 1490] }] },
  {
    command: 'Place the green tape roll here.',
    slots: [
      { what: 'green tape roll', point: [640, 360], time: [1000, 1700] },
      { what: 'empty spot at the front edge', point: [480, 951], time: [2300, 2800] },
    ],
  },
]
