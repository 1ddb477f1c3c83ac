import { card } from '../../ui/button.ts'
import { CopyLine } from '../../ui/copy.tsx'

const COMMANDS = [
  { label: 'Quick run with a baseline', text: 'sightline run space/text -m baseline/random -l 20' },
  { label: 'The same suite with a model', text: 'sightline run space/text -m openai/MODEL -l 20' },
  { label: 'All suites with baselines', text: 'sightline demo' },
]

/** Empty state with commands for the first run. */
export function FirstRun() {
  return (
    <section className={`${card} mx-auto mt-8 max-w-2xl p-6`}>
      <h1 className="text-lg font-semibold">No runs yet</h1>
      <p className="mt-1 text-quiet">Start one in a terminal. It appears here once its first episode is done.</p>
      <dl className="mt-5 space-y-4">
        {COMMANDS.map(({ label, text }) => (
          <div key={text}>
            <dt className="mb-1 text-[13px] font-medium">{label}</dt>
            <dd>
              <CopyLine text={text} label={label} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
