// Rows as entries with keys: those of the entries that are there, or slugs of key and first day (completions 1).
import type { ComponentOf } from '../components/body-types.ts'
import type { FieldValue } from '../components/field-types.ts'
import { scopeText, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import { markedSlug, slugOf } from './slug.ts'

type Entry = ComponentOf<'config_entry'>

/** One row for one business key, read and typed. */
export interface RowDraft {
  line: number
  businessKey: string | null
  from: CivilDate | null
  to: CivilDate | null
  values: Record<string, FieldValue>
  label: string
}

/** An entry, and the place by which its row is known whatever becomes of the entry. */
export interface PlacedEntry {
  place: string
  entry: Entry
}

/** @param known the entry that a row of that place became when it was imported before */
export function nameEntries(
  drafts: readonly RowDraft[],
  set: string,
  scope: Scope,
  view: ComponentView,
  known: (place: string) => string | undefined,
): PlacedEntry[] {
  const where = scopeText(scope)
  const slug = ({ businessKey, from }: RowDraft): string => slugOf(businessKey, from, where)
  const placeOf = ({ businessKey, from }: RowDraft): string => JSON.stringify([businessKey, where, from])
  const claims = new Map<string, Set<string>>()
  // Entries that are another row's, also where a repair moved them to the place of this one.
  const owned = new Set<string>()
  for (const draft of drafts) {
    claims.set(slug(draft), (claims.get(slug(draft)) ?? new Set()).add(exactly(draft)))
    const entry = known(placeOf(draft))
    if (entry !== undefined && view.has('config_entry', entry)) owned.add(entry)
  }
  return drafts.map((draft) => {
    const place = placeOf(draft)
    const own = known(place)
    const plain = `${set}.${slug(draft)}`
    // Another key's entry claims the plain slug, in the file or in the org.
    const taken = claims.get(slug(draft))!.size > 1 || view.has('config_entry', plain)
    const made = taken ? `${set}.${markedSlug(slug(draft), exactly(draft))}` : plain
    const key =
      own !== undefined && owned.has(own) ? own : (existingKey(draft, set, where, view, owned) ?? own ?? made)
    return { place, entry: entryOf(set, key, draft, scope) }
  })
}

function exactly({ businessKey, from }: RowDraft): string {
  return `${businessKey ?? ''}\n${from ?? ''}`
}

/** The key of the entry that is there already for the key, scope and first day, whoever named it; none that is `owned`. */
function existingKey(
  { businessKey, from }: RowDraft,
  set: string,
  where: string,
  view: ComponentView,
  owned: ReadonlySet<string>,
): string | null {
  for (const { key, body } of view.entriesAt(set, businessKey))
    if ((body.effectiveFrom ?? null) === from && scopeText(body.scope) === where && !owned.has(key))
      return key
  return null
}

function entryOf(
  set: string,
  key: string,
  { businessKey, from, to, values, label }: RowDraft,
  scope: Scope,
): Entry {
  const dates = from === null ? {} : { effectiveFrom: from, effectiveTo: to }
  const body = { set, ...(businessKey === null ? {} : { key: businessKey }), scope, ...dates, values }
  return { type: 'config_entry', key, label, body }
}
