// The sources of virtual objects, as the wiring provides them.
import type { ComponentView } from '#kernel/components/view.ts'
import type { ODataSource, VirtualObject } from '../../virtual/index.ts'

/** For whom a source is called. */
export interface SourceCaller {
  /** Key of the user, whose grants and secrets count. */
  user: string
  correlationId: string
  view: ComponentView
  /** For each call, in milliseconds. */
  withinMs: number
}

export interface RemoteSources {
  /** @throws AlmanacError `integration.call_invalid` if its named credential does not exist */
  open(source: VirtualObject['source'], caller: SourceCaller): ODataSource
  /** Aborted after a time. */
  deadline(ms: number): AbortSignal
}
