/**
 * `sightline/suite`: everything a benchmark needs. The built-in suites import only this and `sightline/world`.
 */

// The suite contract.
export { z } from 'zod'
export { defineSource, defineSuite, defineTool, type SourceDefinition } from './engine/define.ts'
export { FailedMeasurement } from './engine/suite.ts'
export { DataFiles } from './engine/data-files.ts'
export { fetchedFolder } from './datasets/folder.ts'
export type { Dataset, GithubCommit, HubRepository, WebPage } from './datasets/dataset.ts'
export type {
  AnySuite,
  AskOptions,
  Baseline,
  BaselineContext,
  BaselinePlayer,
  DescribeContext,
  Episode,
  EpisodeDescription,
  EpisodeEstimate,
  EpisodeEvent,
  ImportedEpisode,
  ImportedReplies,
  Importer,
  Instrument,
  GeneratedMedia,
  Measurements,
  MeasureStage,
  OpenedInstruments,
  OpenedSource,
  Played,
  RecordedImage,
  RoleUse,
  SampleBase,
  SampleScene,
  ScoreContext,
  ScoringContext,
  Source,
  SourceRequest,
  Suite,
  SuiteViewer,
  SummaryContext,
} from './engine/suite.ts'
export type { PanelContext, PanelEpisode, PanelEvent } from './engine/panel.ts'
export type { BlindChoice, BlindNumber, BlindTask } from './engine/audit/task.ts'
export { labelRows, type QuestionOutcome, questionRow } from './engine/question.ts'
export { BASELINE_THOUGHT } from './base/baseline.ts'
export { MissingAssetError, UserError } from './base/errors.ts'
export { containedFile } from './base/contained.ts'
export { openRegular, readRegular, readRegularText } from './base/regular-file.ts'
export { parseForeignJson, readForeignJson } from './base/foreign/json.ts'
export { readParquet, readXlsx } from './base/tables/read.ts'
export { openTable, type Row, type Table, TABLE_FORMATS, type TableFormat, tableFormat } from './base/tables/rows.ts'

// Messages and replies.
export { estimateTextTokens } from './models/estimate.ts'
export { show, system, user } from './engine/messages.ts'
export { makeAhead, showOnce } from './engine/shown-once.ts'
export { type Message, type ModelRequest, type Part, type Reply, type Role, textOf } from './models/types.ts'

// Parsing replies.
export {
  answerPlaces,
  meanRelativeAccuracy,
  number,
  oneOf,
  type Reader,
  relativeError,
  text,
  yesOrNo,
} from './engine/readers.ts'
export {
  afterLast,
  type Amount,
  amountReader,
  type AmountRead,
  amountsIn,
  ANSWER_KEYS,
  type AnswerReader,
  bestObject,
  contentWords,
  dropThinking,
  fencedBlocks,
  findAnswer,
  findStatedAnswer,
  hasField,
  jsonValues,
  letterReader,
  lettersOf,
  namedField,
  optionText,
  Pattern,
  lastObject,
  numbersIn,
  numberWithUnit,
  plainText,
  type Reading,
  REFUSAL,
  sameText,
  sections,
  sentencesFromEnd,
  startsObject,
  tagged,
} from './base/text/index.ts'

export { isObject, type JsonObject } from './base/json-object.ts'

// Python's number and JSON semantics.
export { fixed, pythonFloat, pythonFloatText, roundHalfEven } from './base/python/float.ts'
export { PYTHON_SPACES, pythonStrip } from './base/python/text.ts'
export {
  parsePythonJson,
  PythonNumber,
  type PythonValue,
  readExactPythonJson,
  readPythonJson,
  truthy,
} from './base/python/json.ts'

// Prompts, random numbers, hashes, error messages.
export { fillPrompt, promptFiles, type PromptValues } from './base/prompt-files.ts'
export { Random } from './base/random.ts'
export { canonicalJson, hashOf, sha256, sha256OfFile } from './base/hash.ts'
export { shortHash } from './engine/fingerprint.ts'
export { listingHash } from './base/listing.ts'
export { didYouMean } from './base/nearest.ts'
export { plural } from './base/plural.ts'
export { isLfsPointer } from './base/git-lfs.ts'
export { escapeXml } from './base/escape-xml.ts'
export { toMissingAsset, codeOf, messageOf, fileErrorReason } from './base/errors.ts'
export { importPart } from './base/optional-parts.ts'
export { LimitedProcess, serveReaders } from './base/foreign/limited-process.ts'
export { groupBy } from './base/group.ts'
export { correlationP, mean, selectInPlace } from './base/numbers.ts'
export { memoized } from './base/memoized.ts'
export { LruCache } from './base/lru-cache.ts'

// Worker threads.
export { errorKind } from './base/channel.ts'
export { serveThread, Thread } from './base/thread.ts'

// Scores and tables.
export { type Audit, auditFile, type AuditRow, floorOf } from './report/audit.ts'
export type { Means, Metric } from './report/means.ts'
export type { Summary, SummaryRow } from './report/summary.ts'
export { optionOf, publishedFile, sourceOf } from './report/published.ts'
export type { PublishedCondition, PublishedResults, PublishedRow, PublishedSource } from './report/published.ts'
export type { EpisodeLine, Scores, Status } from './store/records.ts'

// Images, video, audio.
export * from './media/index.ts'
export * from './media/flow/index.ts'
export { QUICK_PNG_NAME, quickPng } from './media/quick-png.ts'
