import { useLoaded } from '../data/use.ts'

export function EpisodePage({ run, index, epoch }: { run: string; index: number; epoch: number }) {
  const episode = useLoaded(`episode/${run}/${index}/${epoch}`, (source) => source.episode(run, index, epoch))
  return episode.state === 'ready' ? <h1>{episode.value.line.case}</h1> : null
}
