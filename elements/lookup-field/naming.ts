// Looks up the name of a record that the page sets only by its id, if the source can resolve it
// (docs/reference/lookup-field.md).
import { Asker } from './asker.ts'
import type { Field } from './field.ts'
import { answered } from './options.ts'
import type { Pointing } from './pointing.ts'
import type { LookupOption, LookupSearch } from './types.ts'

/** Returns the function that looks up the name if it is missing. */
export function naming(field: Field, pointing: Pointing, report: (error: unknown) => void): () => void {
  const asker = new Asker(report)
  /** The last request, which is not repeated. */
  let asked: LookupSearch['resolve'] | false
  let id: string | null
  return () => {
    const { value, display, search } = field
    const resolve = field.isConnected && !display && value ? search?.resolve : false
    if (resolve === asked && id === value) return
    asked = resolve
    id = value
    asker.stop()
    // A page that sets a name does so in the same turn.
    if (resolve)
      asker.schedule(0, () =>
        asker.startRequest(async (signal) => [await resolve(value!, { signal })] as LookupOption[], {
          answer: (answer) => {
            const [got] = answered(answer).options
            if (got) pointing.setResolvedName(got.label, got.href)
          },
        }),
      )
  }
}
