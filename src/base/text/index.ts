/** Data out of what models write. Nothing here throws; what had to be repaired is told; work is linear. */
export { dropThinking, type WithoutThinking } from './thinking.ts'
export { bestObject, fencedBlocks, jsonValues, type BestObject, type Found } from './json.ts'
export { convert, numbersIn, numberWithUnit, type NumberFound, type Quantity, type Unit } from './numbers.ts'
export { afterLast, sections, tagged, type Section } from './sections.ts'
