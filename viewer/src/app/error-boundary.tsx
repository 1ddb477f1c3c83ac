/** Shows an error in place of the page that threw it; navigation keeps working. */
import { Component, type ReactNode } from 'react'
import { ErrorMessage } from '../ui/states.tsx'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'

interface Props {
  /** The current path; a new path resets the error. */
  at: string
  children: ReactNode
}

export class ErrorBoundary extends Component<Props, { error: unknown; at: string }> {
  override state = { error: null as unknown, at: this.props.at }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  static getDerivedStateFromProps({ at }: Props, state: { at: string }) {
    return at === state.at ? null : { error: null, at }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <Page
        title="Something went wrong"
        crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title: 'Error' }]}
      >
        <ErrorMessage error={this.state.error} retry={() => this.setState({ error: null })} />
      </Page>
    )
  }
}
