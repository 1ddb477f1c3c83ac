/**
 * Data that are asked for before the page is up: while its scripts are loaded and read, the server can answer already.
 * Whoever asks for the same first gets that answer; whoever asks again gets a new one.
 */
const asked = new Map<string, Promise<Response>>()

export function askEarly(addresses: readonly string[]): void {
  for (const address of addresses) {
    const answer = fetch(address)
    // What went wrong is told to whoever takes it.
    answer.catch(() => undefined)
    asked.set(address, answer)
  }
}

export function takeEarly(address: string): Promise<Response> | undefined {
  const answer = asked.get(address)
  asked.delete(address)
  return answer
}
