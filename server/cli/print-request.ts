// Prints the new state of a change request as text and as JSON.
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { requestStatusText } from './requests-text.ts'
import type { Call } from './command-definition.ts'

export async function printRequest({ terminal }: Call, request: ChangeRequestSummary): Promise<void> {
  await terminal.data(request)
  terminal.print(() => requestStatusText(request, terminal))
}
