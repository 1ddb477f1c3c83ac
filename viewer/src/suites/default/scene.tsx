/** The 3D scene of a sample, with orbit controls. */
import { useState } from 'react'
import type { EpisodeDetail } from '../../../../src/server/api.ts'
import { errorText } from '../../data/http.ts'
import { useSource } from '../../data/hooks.ts'
import { disposeOf, loadGlb, type Stage, StageView } from '../../three/index.ts'

export function Scene({ episode: { run, line } }: { episode: EpisodeDetail }) {
  const source = useSource()
  const [problem, setProblem] = useState<string | null>(null)
  const setup = (stage: Stage): (() => void) => {
    let wanted = true
    const show = async (): Promise<void> => {
      const scene = await loadGlb(await source.scene(run.id, line.index, line.epoch))
      if (!wanted) return disposeOf(scene)
      stage.scene.add(scene)
      stage.look(stage.viewOf(scene))
    }
    show().catch((error: unknown) => wanted && setProblem(errorText(error).message))
    return () => {
      wanted = false
    }
  }
  if (problem !== null) return <p className="text-quiet [overflow-wrap:anywhere]">{problem}</p>
  return <StageView label="3D scene" setup={setup} className="h-80 rounded-md border border-line" />
}
