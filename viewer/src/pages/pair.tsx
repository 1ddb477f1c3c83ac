export function PairPage({ a, b }: { a: string; b: string; indexA: number; indexB: number; epoch: number }) {
  return (
    <h1>
      {a} and {b}
    </h1>
  )
}
