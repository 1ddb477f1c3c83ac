import { Link } from 'wouter'
import { EmptyState } from '../ui/states.tsx'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'

export function NotFoundPage() {
  return (
    <Page title="No such page" crumbs={[{ title: 'Runs', to: linkTo.board() }, { title: 'No such page' }]}>
      <EmptyState title="There is no such page.">
        The address may be cut off or mistyped.{' '}
        <Link href={linkTo.board()} className="text-accent underline">
          All runs
        </Link>
      </EmptyState>
    </Page>
  )
}
