/** A labeled field for the name of a person who plays or votes. */
import { NAME_PATTERN, NAME_RULE } from './person-name.ts'

export function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="flex flex-col gap-1 text-[13px]">
      Your name
      <input
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
        pattern={NAME_PATTERN}
        title={NAME_RULE}
        autoComplete="nickname"
        className="h-8 rounded-md border border-line bg-paper px-2"
      />
    </label>
  )
}
