import { useLoaded } from '../data/use.ts'

export function RunPage({ run }: { run: string }) {
  const detail = useLoaded(`run/${run}`, (source) => source.run(run))
  return detail.state === 'ready' ? <h1>{detail.value.row.id}</h1> : null
}
