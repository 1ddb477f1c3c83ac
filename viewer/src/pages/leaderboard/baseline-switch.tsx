import { useQuery } from '../../navigation/query.ts'
import { quietButton } from '../../ui/button.ts'

/** Shows or hides baselines, on this page and on the leaderboard. */
export function BaselineSwitch() {
  const query = useQuery()
  const hides = query.get('baselines') === 'hide'
  return (
    <label className={`${quietButton} cursor-pointer gap-1.5`}>
      <input
        type="checkbox"
        className="size-3.5 accent-accent"
        checked={!hides}
        onChange={() => query.set({ baselines: hides ? null : 'hide' })}
      />
      Baselines
    </label>
  )
}
