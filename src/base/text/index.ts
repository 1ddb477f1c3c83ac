/** Extracts data from model replies. Never throws, lists its repairs, and runs in linear time. */
export { dropThinking, type WithoutThinking } from './thinking.ts'
export { bestObject, fencedBlocks, jsonValues, lastObject, type BestObject, type Found } from './json.ts'
export { convert, numbersIn, numberWithUnit, type NumberFound, type Quantity, type Unit } from './numbers.ts'
export { afterLast, sections, tagged, type Section } from './sections.ts'
