/** A uPlot chart in the theme's colors. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { themeColor, useResolvedTheme } from './theme.ts'

export interface ChartColors {
  ink: string
  quiet: string
  line: string
  accent: string
  paper: string
  first: string
  second: string
}

export interface ChartProps {
  /** Text alternative for screen readers. */
  label: string
  height: number
  data: uPlot.AlignedData
  /** Called again whenever data or colors change. */
  options: (colors: ChartColors) => Omit<uPlot.Options, 'width' | 'height'>
}

export function Chart({ label, height, data, options }: ChartProps) {
  const container = useRef<HTMLDivElement>(null)
  const theme = useResolvedTheme()
  const latestOptions = useRef(options)
  latestOptions.current = options
  useEffect(() => {
    const element = container.current!
    const colors: ChartColors = {
      ink: themeColor('ink'),
      quiet: themeColor('quiet'),
      line: themeColor('line'),
      accent: themeColor('accent'),
      paper: themeColor('paper'),
      first: themeColor('first'),
      second: themeColor('second'),
    }
    const chart = new uPlot({ ...latestOptions.current(colors), width: element.clientWidth, height }, data, element)
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [data, height, theme])
  return <div ref={container} role="img" aria-label={label} className="w-full min-w-0" style={{ height }} />
}

const FONT = '11px "Inter Variable", system-ui, sans-serif'

/** Axis defaults shared by all charts. */
export function axis({ quiet, line }: ChartColors, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    font: FONT,
    stroke: quiet,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    gap: 4,
    ...more,
  }
}
