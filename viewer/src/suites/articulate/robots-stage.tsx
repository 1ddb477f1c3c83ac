/** Ground truth and prediction side by side in 3D. Loaded lazily because it depends on three.js. */
import { useEffect, useRef, useState } from 'react'
import { Box3, GridHelper, type Object3D, Vector3 } from 'three'
import { useSource } from '../../data/hooks.ts'
import { disposeOf, loadGlb, type Stage, StageView } from '../../three/index.ts'
import type { RobotData } from '../../../../src/suites/articulate/events.ts'
import { partsOf, PosableRobot } from './posable.ts'

const COLORS = { truth: '#0f9d83', prediction: '#e07b00' }
/** From the front (+x), slightly from the left and above. */
const VIEW_FROM = new Vector3(1, -0.22, 0.48)

interface RobotsStageProps {
  meshes: { sha256: string; type: string }
  truth: RobotData
  prediction: RobotData | null
  /** A part's position within its range, 0 to 1. */
  share: (part: string) => number
}

interface Shown {
  truth: PosableRobot
  prediction: PosableRobot | null
}

export default function RobotsStage({ meshes, truth, prediction, share }: RobotsStageProps) {
  const source = useSource()
  const stage = useRef<Stage>(null)
  const [loaded, setLoaded] = useState<Object3D | null>(null)
  const [problem, setProblem] = useState(false)
  const shown = useRef<Shown>(null)
  const framed = useRef('')

  useEffect(() => {
    let wanted = true
    source
      .mediaBytes(meshes)
      .then(loadGlb)
      .then(
        (glb) => wanted && setLoaded(glb),
        () => wanted && setProblem(true),
      )
    return () => {
      wanted = false
    }
  }, [source, meshes.sha256])

  useEffect(() => {
    const on = stage.current
    if (!on || !loaded) return
    const parts = partsOf(loaded)
    const made: Shown = {
      truth: new PosableRobot(truth, parts, COLORS.truth),
      prediction: prediction && new PosableRobot(prediction, parts, COLORS.prediction),
    }
    shown.current = made
    made.truth.pose(share)
    const box = new Box3().setFromObject(made.truth.group)
    const width = box.getSize(new Vector3()).y
    const apart = Math.max(width * 0.85, 0.4)
    made.truth.group.position.set(0, -apart, 0)
    made.prediction?.group.position.set(0, apart, 0)
    made.prediction?.pose(share)
    const floor = new GridHelper(apart * 4, 16, '#7b8797', '#7b8797')
    Object.assign(floor.material, { transparent: true, opacity: 0.3 })
    floor.rotation.x = Math.PI / 2
    floor.position.z = box.min.z
    on.scene.add(made.truth.group, floor)
    if (made.prediction) on.scene.add(made.prediction.group)
    const top = box.max.z + 0.12
    const label = 'rounded bg-paper/85 px-1.5 py-0.5 text-[12px] font-medium'
    on.labels.set([
      { text: 'ground truth', position: new Vector3(0, -apart, top), className: `${label} text-truth` },
      {
        text: prediction ? 'prediction' : 'no prediction',
        position: new Vector3(0, apart, top),
        className: `${label} text-belief`,
      },
    ])
    if (framed.current !== meshes.sha256) {
      framed.current = meshes.sha256
      // Leaves room for doors and drawers that open beyond the closed object.
      const all = new Box3().setFromObject(made.truth.group).expandByVector(new Vector3(0.1, 0, 0))
      all.max.y += 2 * apart
      all.max.x += box.getSize(new Vector3()).x / 2
      on.look(on.viewOf(all, [VIEW_FROM]))
    }
    on.draw()
    return () => {
      on.scene.remove(made.truth.group, floor)
      if (made.prediction) on.scene.remove(made.prediction.group)
      floor.dispose()
      shown.current = null
    }
    // `share` changes with every slider move and must not rebuild the robots.
  }, [loaded, truth, prediction])

  useEffect(() => {
    shown.current?.truth.pose(share)
    shown.current?.prediction?.pose(share)
    stage.current?.draw()
  }, [share])

  useEffect(() => () => void (loaded && disposeOf(loaded)), [loaded])

  if (problem) return <p className="p-3 text-quiet">Cannot load the parts of this object.</p>
  return (
    <StageView
      label="Ground truth (left) and prediction (right) in 3D"
      className="h-[22rem] rounded-lg border border-line"
      setup={(made) => {
        stage.current = made
        return () => {
          stage.current = null
        }
      }}
    />
  )
}
