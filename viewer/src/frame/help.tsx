/** Help dialog with the keyboard shortcuts of the current page. */
import { useRef, useState } from 'react'
import { groupBy } from '../../../src/base/group.ts'
import { iconButton } from '../ui/button.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { activeKeys, type KeyGroup, useKeys } from '../ui/keys.ts'

export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [groups, setGroups] = useState<readonly KeyGroup[]>([])
  const open = (): void => {
    setGroups(activeKeys().toReversed().map(mergeActions))
    dialog.current?.showModal()
  }
  useKeys('All pages', [{ keys: ['?'], title: 'Show keyboard shortcuts', run: open }])
  return (
    <>
      <button
        type="button"
        className={`${iconButton} max-sm:hidden`}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={open}
      >
        <Icon name="keyboard" />
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="keyboard-help"
        // The dialog itself is the target only for clicks on the backdrop.
        onClick={(event) => event.target === dialog.current && dialog.current.close()}
        className="m-auto max-h-[85dvh] w-[min(34rem,calc(100vw-2rem))] overflow-y-auto rounded-xl border border-line bg-paper text-ink shadow-xl backdrop:bg-black/40"
      >
        <div className="p-5">
          <div className="mb-3 flex items-center justify-between">
            <h2 id="keyboard-help" className="text-base font-semibold">
              Keyboard shortcuts
            </h2>
            <button type="button" className={iconButton} aria-label="Close" onClick={() => dialog.current?.close()}>
              <Icon name="cross" />
            </button>
          </div>
          {groups.map(({ title, actions }) => (
            <section key={title} className="mb-4 last:mb-0">
              <h3 className="mb-1 text-xs font-medium text-quiet">{title}</h3>
              <dl className="divide-y divide-line">
                {actions.map((action) => (
                  <div key={action.title} className="flex items-center justify-between gap-4 py-1.5">
                    <dt>{action.title}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {action.keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </dialog>
    </>
  )
}

/** Merges actions with the same title into one line. */
function mergeActions({ title, actions }: KeyGroup): KeyGroup {
  const lines = groupBy(actions, (action) => action.title)
  return {
    title,
    actions: [...lines.values()].map((same) => ({ ...same[0]!, keys: same.flatMap(({ keys }) => keys) })),
  }
}
