/** All keys that work on the page that is open. */
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { iconButton } from '../ui/button.ts'
import { activeKeys, useKeys } from './keys.ts'

export function KeyboardHelp() {
  const [open, setOpen] = useState(false)
  useKeys('Everywhere', [{ keys: ['?'], title: 'Show these keys', run: () => setOpen(true) }])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className={iconButton} aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)">
        <Icon name="keyboard" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed left-1/2 top-1/2 z-50 max-h-[85dvh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl border border-line bg-paper p-5 shadow-xl"
        >
          <div className="mb-3 flex items-center justify-between">
            <Dialog.Title className="text-base font-semibold">Keyboard</Dialog.Title>
            <Dialog.Close className={iconButton} aria-label="Close">
              <Icon name="cross" />
            </Dialog.Close>
          </div>
          {open &&
            activeKeys()
              .toReversed()
              .map(({ title, actions }) => (
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
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
