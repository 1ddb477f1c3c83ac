/** A 3D stage, with a message and fallback if WebGL is not available. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Stage } from './stage.ts'

interface StageViewProps {
  /** Text alternative for screen readers. */
  label: string
  /** Called once with the stage; may return a cleanup function. */
  setup: (stage: Stage) => void | (() => void)
  className?: string
  /** Shown without WebGL. */
  fallback?: ReactNode
  /** Overlay: buttons, a legend. */
  children?: ReactNode
}

export function StageView({ label, setup, className = '', fallback: instead, children }: StageViewProps) {
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
        <p className="p-3 text-sm text-quiet">Cannot show 3D: WebGL is disabled or not supported by this browser.</p>
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
