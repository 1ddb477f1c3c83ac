/** Draws the walk of an episode as a line, with the answer below it. */
const SVG = 'http://www.w3.org/2000/svg'
const WAYS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] }

/**
 * @param {HTMLElement} element
 * @param {import('sightline/suite').PanelContext} context
 */
export function mount(element, { sample, outcome, events, at, onChange }) {
  const places = [[0, 0]]
  for (const step of sample.steps) {
    const [x, y] = places.at(-1)
    places.push([x + WAYS[step][0], y + WAYS[step][1]])
  }

  const town = document.createElementNS(SVG, 'svg')
  town.setAttribute('viewBox', '-6.5 -6.5 13 13')
  town.setAttribute('role', 'img')
  town.setAttribute('aria-label', `A walk: ${sample.steps.join(', ')}`)
  town.style.cssText = 'max-height: 60vh; margin: auto'
  // Use the page's color variables, which follow its theme.
  draw(town, 'polyline', { points: places.join(' '), fill: 'none', 'stroke-width': 0.2 }).style.stroke =
    'var(--color-accent)'
  draw(town, 'circle', { r: 0.35 }).style.fill = 'var(--color-ink)'
  const [x, y] = places.at(-1)
  draw(town, 'circle', { cx: x, cy: y, r: 0.25 }).style.fill = 'var(--color-belief)'

  const answer = document.createElement('p')
  const asked = events.findIndex(({ type }) => type === 'reply')
  const show = (at) => {
    const said = at < asked ? '…' : JSON.stringify(outcome?.answer ?? null)
    answer.textContent = `Back where it started: ${sample.back}. Answered: ${said}.`
  }
  show(at)
  onChange((now) => show(now.at))

  element.append(town, answer)
}

function draw(into, name, attributes) {
  const shape = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value)
  into.append(shape)
  return shape
}
