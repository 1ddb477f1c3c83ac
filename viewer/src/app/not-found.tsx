import { Link } from 'wouter'
import { EmptyState } from '../ui/states.tsx'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'

export function NotFoundPage() {
  return (
    <Page
      title="Page not found"
      crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title: 'Page not found' }]}
    >
      <EmptyState title="Page not found">
        The URL may be incomplete or mistyped.{' '}
        <Link href={linkTo.leaderboard()} className="text-accent underline">
          Go to the leaderboard
        </Link>
      </EmptyState>
    </Page>
  )
}
