/** The logs of the scripted explorers. */
import { PROXY_NAMES, type ProxyName, runProxy } from '../../src/suites/space/domain/proxies/run.ts'
import { fuzzTarget } from './target.ts'
import { randomScene, sceneOf, stateOf, THEORY_OF_SPACE } from './space-scenes.ts'

type Case = { proxy: ProxyName; state: ReturnType<typeof stateOf> }

export const proxies = fuzzTarget<Case>({
  checkout: THEORY_OF_SPACE,
  driver: 'space/proxies.py',
  generate: (random) => ({ proxy: random.pick(PROXY_NAMES), state: stateOf(randomScene(random)) }),
  ours({ proxy, state }) {
    const { history, cost, nodeCoverage, edgeCoverage } = runProxy(proxy, sceneOf(state), 'upstream')
    return { history, cost, nodes: nodeCoverage, edges: edgeCoverage }
  },
  // It draws 30 points of a large domain at random.
  explained: ({ proxy }) => (proxy === 'strategist' ? 'space-proxy-ties' : null),
})
