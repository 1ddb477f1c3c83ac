/** Button styles, also used for links that act like buttons. */
const base =
  'inline-flex items-center justify-center gap-1.5 rounded-md whitespace-nowrap transition-colors disabled:opacity-45 disabled:pointer-events-none'

export const button = `${base} h-8 border border-line bg-paper px-3 text-[13px] font-medium hover:bg-ground hover:border-quiet/50`
export const primaryButton = `${base} h-8 bg-accent px-3 text-[13px] font-medium text-paper hover:opacity-90`
/** Borderless, for button groups. */
export const quietButton = `${base} h-7 px-2 text-[13px] text-quiet hover:bg-ground hover:text-ink`
export const iconButton = `${base} size-8 text-quiet hover:bg-ground hover:text-ink`
export const card = 'rounded-lg border border-line bg-paper'
