/** A chart with axes, drawn by uPlot in the colours of the page. */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { themeColour, useShownTheme } from './theme.ts'

export interface ChartColours {
  ink: string
  quiet: string
  line: string
  accent: string
  paper: string
  first: string
  second: string
}

export interface ChartProps {
  /** What is to be seen, in a sentence: the chart itself cannot be read aloud. */
  label: string
  height: number
  data: uPlot.AlignedData
  /** Made anew whenever data or colours change. */
  options: (colours: ChartColours) => Omit<uPlot.Options, 'width' | 'height'>
}

export function Chart({ label, height, data, options }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const theme = useShownTheme()
  const made = useRef(options)
  made.current = options
  useEffect(() => {
    const element = place.current!
    const colours: ChartColours = {
      ink: themeColour('ink'),
      quiet: themeColour('quiet'),
      line: themeColour('line'),
      accent: themeColour('accent'),
      paper: themeColour('paper'),
      first: themeColour('first'),
      second: themeColour('second'),
    }
    const chart = new uPlot({ ...made.current(colours), width: element.clientWidth, height }, data, element)
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
  }, [data, height, theme])
  return <div ref={place} role="img" aria-label={label} className="w-full min-w-0" style={{ height }} />
}

const FONT = '11px "Inter Variable", system-ui, sans-serif'

/** An axis as all charts have it. */
export function axis({ quiet, line }: ChartColours, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    font: FONT,
    stroke: quiet,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    gap: 4,
    ...more,
  }
}
