// Looks up the name of a record that the page sets only by its id, if the source can resolve it
// (docs/reference/lookup-field.md).
import { RequestRunner } from './request-runner.ts'
import type { Field } from './field.ts'
import { normalizeAnswer } from './options.ts'
import type { SelectedRecord } from './selected-record.ts'
import type { LookupOption, LookupSearch } from './types.ts'

/** Returns the function that looks up the name if it is missing. */
export function nameLookup(
  field: Field,
  selected: SelectedRecord,
  report: (error: unknown) => void,
): () => void {
  const runner = new RequestRunner(report)
  /** The last request, which is not repeated. */
  let lastResolve: LookupSearch['resolve'] | false
  let id: string | null
  return () => {
    const { value, display, search } = field
    const resolve = field.isConnected && !display && value ? search?.resolve : false
    if (resolve === lastResolve && id === value) return
    lastResolve = resolve
    id = value
    runner.stop()
    // A page that sets a name does so in the same turn.
    if (resolve)
      runner.schedule(0, () =>
        runner.startRequest(async (signal) => [await resolve(value!, { signal })] as LookupOption[], {
          answer: (answer) => {
            const [got] = normalizeAnswer(answer).options
            if (got) selected.setResolvedName(got.label, got.href)
          },
        }),
      )
  }
}
