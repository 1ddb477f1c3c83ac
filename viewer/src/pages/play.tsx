export function PlayPage() {
  return <h1>Play</h1>
}
