import { Link } from 'wouter'
import { linkTo } from '../app/routes.ts'
import { useLoaded } from '../data/use.ts'

export function BoardPage() {
  const runs = useLoaded('runs', (source) => source.runs())
  if (runs.state !== 'ready') return null
  return (
    <ul>
      {runs.value.map((run) => (
        <li key={run.id}>
          <Link href={linkTo.run(run.id)}>{run.id}</Link>
        </li>
      ))}
    </ul>
  )
}
