/** Extracts data from model replies. Never throws, lists its repairs, and runs in linear time. */
export { dropThinking, type WithoutThinking } from './thinking.ts'
export { bestObject, fencedBlocks, jsonValues, lastObject, startsObject, type BestObject, type Found } from './json.ts'
export { convert, numbersIn, numberWithUnit, type NumberFound, type Quantity, type Unit } from './numbers.ts'
export { afterLast, sections, tagged, type Section } from './sections.ts'
export { type Amount, amountReader, type AmountRead, amountsIn } from './amounts.ts'
export {
  type AnswerReader,
  boxed,
  findAnswer,
  findStatedAnswer,
  type Reading,
  REFUSAL,
  sentencesFromEnd,
} from './statements.ts'
export { yesNoReader } from './yes-no.ts'
export { contentWords, sameText, statedText } from './free-text.ts'
export { ANSWER_KEYS, answerField, hasField, namedField } from './answer-field.ts'
export { letterReader, lettersOf, optionText } from './letters.ts'
export { plainText } from './plain.ts'
export { Pattern } from './pattern.ts'
