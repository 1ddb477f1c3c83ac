import { formatCount } from '../format.ts'

/** `1,204 of 100,000 episodes` */
export function RowCount({ shown, all, noun }: { shown: number; all: number; noun: string }) {
  const plural = all === 1 ? noun : `${noun}s`
  return (
    <span role="status" className="text-[13px] text-quiet tabular-nums">
      {shown === all ? `${formatCount(all)} ${plural}` : `${formatCount(shown)} of ${formatCount(all)} ${plural}`}
    </span>
  )
}
