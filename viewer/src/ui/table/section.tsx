import type { ReactNode } from 'react'

interface SectionProps {
  /** Empty for rows without a heading. */
  title: string
  columns: number
  children: ReactNode
}

/** A group of table rows with a heading. */
export function TableSection({ title, columns, children }: SectionProps) {
  return (
    <tbody className="border-b border-line last:border-b-0">
      {title !== '' && (
        <tr>
          <th
            colSpan={columns}
            scope="rowgroup"
            className="bg-ground px-4 py-1.5 text-left text-xs font-medium text-quiet"
          >
            <span className="sticky left-4 inline-block">{title}</span>
          </th>
        </tr>
      )}
      {children}
    </tbody>
  )
}
