import type { ReactNode } from 'react'

interface SectionProps {
  /** Nothing for rows that stand under no heading. */
  title: string
  columns: number
  children: ReactNode
}

/** Rows of a table under a heading of their own. */
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
            {title}
          </th>
        </tr>
      )}
      {children}
    </tbody>
  )
}
