/** A figure at the width of its container, with downloads. The drawing code is loaded with the first figure. */
import { useEffect, useRef, useState } from 'react'
import type { Figure as FigureData } from '../../../src/report/figures/figure.ts'
import { quietButton } from './button.ts'
import { CopyLine } from './copy.tsx'
import { useResolvedTheme } from './theme.ts'

const drawing = () => import('./draw-figure.ts')

interface FigureProps {
  /** Drawn again when it changes: keep it with `useMemo`. */
  figure: FigureData
  /** File name of downloads, without extension. */
  name: string
  /** The command that writes the same figure, shown for PDF. */
  command?: string
}

export function Figure({ figure, name, command }: FigureProps) {
  const save = async (type: 'svg' | 'png'): Promise<void> => (await drawing()).downloadFigure(figure, name, type)
  return (
    <figure className="min-w-0">
      <FigureDrawing figure={figure} />
      <figcaption className="mt-1 flex flex-wrap items-center justify-end gap-x-1 text-xs text-quiet">
        {(['svg', 'png'] as const).map((type) => (
          <button
            key={type}
            type="button"
            className={quietButton}
            aria-label={`Download as ${type.toUpperCase()}: ${figure.title}`}
            onClick={() => void save(type)}
          >
            {type.toUpperCase()}
          </button>
        ))}
        {command !== undefined && (
          <details className="max-w-full open:w-full">
            <summary className={`${quietButton} float-right list-none`}>PDF</summary>
            <div className="clear-both pt-1">
              <CopyLine text={command} label="command that writes a PDF" />
            </div>
          </details>
        )}
      </figcaption>
    </figure>
  )
}

interface FigureDrawingProps {
  figure: FigureData
  /** Curves: called with the horizontal value of the point that is nearest to a click. */
  onPick?: (x: number) => void
}

/** The figure alone. */
export function FigureDrawing({ figure, onPick }: FigureDrawingProps) {
  const container = useRef<HTMLDivElement>(null)
  const theme = useResolvedTheme()
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const element = container.current!
    let isGone = false
    let width = 0
    const draw = async (): Promise<void> => {
      // The scroll bar comes and goes with the height of the page; small changes are not worth a new drawing.
      if (element.clientWidth === 0 || Math.abs(element.clientWidth - width) < 4) return
      width = element.clientWidth
      const { drawFigureIn } = await drawing()
      if (!isGone) drawFigureIn(element, figure, theme)
    }
    const attempt = (): void => {
      draw().catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
    }
    const observer = new ResizeObserver(attempt)
    observer.observe(element)
    attempt()
    return () => {
      isGone = true
      observer.disconnect()
    }
  }, [figure, theme])
  const pick = async ({ clientX }: { clientX: number }): Promise<void> => {
    const x = (await drawing()).nearestX(container.current!, clientX)
    if (x !== null) onPick?.(x)
  }
  if (failure !== null) return <p className="text-xs text-bad">Cannot draw this figure: {failure}</p>
  return (
    // The player has keys for every turn; a click here is a short cut.
    <div
      ref={container}
      className={`min-h-24 w-full min-w-0 [&>svg]:block [&>svg]:max-w-full ${onPick ? 'cursor-pointer' : ''}`}
      {...(onPick && { onClick: (event) => void pick(event) })}
    />
  )
}
