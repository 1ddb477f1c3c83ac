/**
 * Requests data while the page's scripts are still loading. The first request for the same URL takes the prefetched
 * response; later ones fetch again.
 */
const prefetched = new Map<string, Promise<Response>>()

export function prefetch(urls: readonly string[]): void {
  for (const url of urls) {
    const response = fetch(url)
    // The consumer handles errors.
    response.catch(() => undefined)
    prefetched.set(url, response)
  }
}

export function takePrefetched(url: string): Promise<Response> | undefined {
  const response = prefetched.get(url)
  prefetched.delete(url)
  return response
}
