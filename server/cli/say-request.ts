// The new state of a change request, as text and as JSON.
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { standingText } from './requests-text.ts'
import type { Call } from './verb.ts'

export async function sayRequest({ terminal }: Call, request: ChangeRequestSummary): Promise<void> {
  await terminal.data(request)
  terminal.print(() => standingText(request, terminal))
}
