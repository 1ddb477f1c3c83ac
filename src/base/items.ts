/** Items one after the other, such as the samples of a source, whether they have to be waited for or not. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item>

/**
 * What `map` makes of each item; null ends it. Items at hand stay at hand: a promise for each would cost more than a short
 * episode.
 */
export function flatMap<From, To>(items: Items<From>, map: (item: From) => readonly To[] | null): Items<To> {
  return Symbol.asyncIterator in items ? mapComing(items, map) : mapAtHand(items, map)
}

function* mapAtHand<From, To>(items: Iterable<From>, map: (item: From) => readonly To[] | null): Generator<To> {
  for (const item of items) {
    const mapped = map(item)
    if (!mapped) return
    for (const each of mapped) yield each
  }
}

async function* mapComing<From, To>(
  items: AsyncIterable<From>,
  map: (item: From) => readonly To[] | null,
): AsyncGenerator<To> {
  for await (const item of items) {
    const mapped = map(item)
    if (!mapped) return
    for (const each of mapped) yield each
  }
}
