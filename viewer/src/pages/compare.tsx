import { useLoaded } from '../data/use.ts'

export function ComparePage({ a, b }: { a: string; b: string }) {
  const compared = useLoaded(`compare/${a}/${b}`, (source) => source.compare(a, b))
  return compared.state === 'ready' ? <h1>{compared.value.comparison.title}</h1> : null
}
