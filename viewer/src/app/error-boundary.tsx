/** A fault in a page is told on that page; the way to the others stays open. */
import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/states.tsx'
import { Page } from '../frame/page.tsx'
import { linkTo } from '../navigation/routes.ts'

interface Props {
  /** The address: another page is another try. */
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
      <Page title="Something went wrong" crumbs={[{ title: 'Runs', to: linkTo.board() }, { title: 'Error' }]}>
        <Failure error={this.state.error} again={() => this.setState({ error: null })} />
      </Page>
    )
  }
}
