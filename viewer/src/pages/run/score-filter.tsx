/** Filter for a range of a metric. */
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { filterButton } from '../../ui/filter-menu.tsx'
import { formatValue, type NumberUnit } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { quietButton } from '../../ui/button.ts'
import { PopoverPanel } from '../../ui/popover.tsx'
import { Select } from '../../ui/select.tsx'
import type { EpisodeData } from './episode-data.ts'

interface ScoreFilterProps {
  data: EpisodeData
  metric: string
  min: number | null
  max: number | null
  onChange: (change: { metric?: string; min?: string | null; max?: string | null }) => void
}

export function ScoreFilter({ data, metric, min, max, onChange }: ScoreFilterProps) {
  const unit = data.unit(metric)
  const active = min !== null || max !== null
  return (
    <Popover.Root>
      <Popover.Trigger className={filterButton(active)}>
        Score
        {active && (
          <span className="font-semibold tabular-nums">
            {min === null
              ? `≤ ${formatValue(max, unit)}`
              : max === null
                ? `≥ ${formatValue(min, unit)}`
                : rangeText(min, max, unit)}
          </span>
        )}
        <Icon name="chevronDown" className="size-3" />
      </Popover.Trigger>
      <PopoverPanel label="Score" className="w-72 gap-2">
        <Select
          label="Metric"
          value={metric}
          options={Object.keys(data.columns.scores).map((name) => ({ value: name, title: data.title(name) }))}
          onChange={(name) => onChange({ metric: name, min: null, max: null })}
          className="[&>span:last-child]:flex-1 [&_select]:w-full"
        />
        <div className="flex items-center gap-2">
          <RangeInput label="From" value={min} unit={unit} onChange={(value) => onChange({ min: value })} />
          <RangeInput label="To" value={max} unit={unit} onChange={(value) => onChange({ max: value })} />
        </div>
        {unit === 'percent' && (
          <div className="flex flex-wrap gap-1">
            {PRESETS.map((preset) => (
              <button
                key={preset.title}
                type="button"
                className={quietButton}
                onClick={() => onChange({ min: preset.min, max: preset.max })}
              >
                {preset.title}
              </button>
            ))}
          </div>
        )}
      </PopoverPanel>
    </Popover.Root>
  )
}

const PRESETS = [
  { title: 'Any', min: null, max: null },
  { title: 'Wrong (0)', min: null, max: '0' },
  { title: 'Partial', min: '0.001', max: '0.999' },
  { title: 'Correct (100)', min: '1', max: null },
]

function rangeText(min: number, max: number, unit: NumberUnit): string {
  return `${formatValue(min, unit)}–${formatValue(max, unit)}`
}

interface RangeInputProps {
  label: string
  value: number | null
  unit: NumberUnit
  onChange: (value: string | null) => void
}

function RangeInput({ label, value, unit, onChange }: RangeInputProps) {
  const factor = unit === 'percent' ? 100 : 1
  const shown = value === null ? '' : String(Number((value * factor).toPrecision(10)))
  const [typed, setTyped] = useState({ text: shown, of: shown })
  // Discards the input when the value changes from outside.
  const text = typed.of === shown ? typed.text : shown
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2 text-quiet">
      {label}
      <input
        type="number"
        step="any"
        value={text}
        onChange={(event) => {
          const next = event.target.value
          const number = next === '' ? null : Number(next) / factor
          if (number !== null && !Number.isFinite(number)) return
          setTyped({ text: next, of: number === null ? '' : String(Number((number * factor).toPrecision(10))) })
          onChange(number === null ? null : String(number))
        }}
        className="h-8 w-full min-w-0 rounded-md border border-line bg-paper px-2 text-ink tabular-nums"
      />
    </label>
  )
}
