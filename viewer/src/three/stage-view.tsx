/** A stage in the page. Without WebGL it says so, and shows what it was given instead. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Stage } from './stage.ts'

interface StageViewProps {
  /** For those who cannot see it: what is on the stage now. */
  label: string
  /** Called once with the stage; what it gives back is called at the end. */
  setup: (stage: Stage) => void | (() => void)
  className?: string
  /** Shown when there is no WebGL. */
  instead?: ReactNode
  /** Over the stage: buttons, a legend. */
  children?: ReactNode
}

export function StageView({ label, setup, className = '', instead, children }: StageViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const [broken, setBroken] = useState(false)
  const first = useRef(setup)
  useEffect(() => {
    if (!host.current) return
    let stage: Stage
    try {
      stage = new Stage(host.current)
    } catch {
      setBroken(true)
      return
    }
    const lost = (): void => setBroken(true)
    stage.renderer.domElement.addEventListener('webglcontextlost', lost)
    const cleanUp = first.current(stage)
    return () => {
      stage.renderer.domElement.removeEventListener('webglcontextlost', lost)
      cleanUp?.()
      stage.dispose()
    }
  }, [])
  if (broken) {
    return (
      <div className={className}>
        <p className="p-3 text-sm text-quiet">This browser cannot draw in 3D: WebGL is switched off or missing.</p>
        {instead}
      </div>
    )
  }
  return (
    <div className={`relative overflow-hidden ${className}`}>
      <div ref={host} role="img" aria-label={label} className="absolute inset-0" />
      {children}
    </div>
  )
}
