/** One episode: its journal line, events and neighbors. */
import { readErrorTypes } from '../store/error-types.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { EpisodeAddress, EpisodeDetail, RecordedEvent } from './api.ts'
import { mainScoreOf, metricsOf } from './columns.ts'
import { notFound } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

export async function findEpisode(
  entry: RunEntry,
  index: number,
  epoch: number,
): Promise<{ line: EpisodeLine; at: number }> {
  const [lines, at] = await Promise.all([entry.lines(), entry.position(index, epoch)])
  const line = at === undefined ? undefined : lines[at]
  if (at === undefined || !line) {
    throw notFound(
      `Run ${entry.reader.header.id} has no episode for sample ${index}, epoch ${epoch}.`,
      'It may still be running: episodes appear once they have finished.',
    )
  }
  return { line, at }
}

export async function episodeDetail(entry: RunEntry, index: number, epoch: number): Promise<EpisodeDetail> {
  const { line, at } = await findEpisode(entry, index, epoch)
  const [lines, run, suite, events, assigned] = await Promise.all([
    entry.lines(),
    entry.row(),
    entry.suite(),
    entry.reader.events(line),
    readErrorTypes(entry.reader.dir),
  ])
  const names = Object.keys(line.scores)
  const main = mainScoreOf([line], suite, entry.reader.header, names)
  return {
    run,
    line,
    metrics: metricsOf(suite, main === null ? names : [main, ...names]),
    events: events.filter(isEvent),
    previous: addressOf(lines[at - 1]),
    next: addressOf(lines[at + 1]),
    hasScene: suite?.viewer.scene !== undefined,
    hasPanel: suite?.viewer.panel !== undefined,
    ...(suite?.viewer.errorTypes && {
      error: {
        types: suite.viewer.errorTypes,
        chosen: assigned.find((each) => each.index === index && each.epoch === epoch)?.type ?? null,
      },
    }),
  }
}

function isEvent(value: unknown): value is RecordedEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function addressOf(line: EpisodeLine | undefined): EpisodeAddress | null {
  return line ? { index: line.index, epoch: line.epoch, sample: line.sample } : null
}
