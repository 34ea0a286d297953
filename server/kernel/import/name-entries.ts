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
  scope: Scope
  /** Of a row for a permission set. */
  priority: number | null
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
  view: ComponentView,
  known: (place: string) => string | undefined,
): PlacedEntry[] {
  const slug = ({ businessKey, from, scope }: RowDraft): string => slugOf(businessKey, from, scopeText(scope))
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
      own !== undefined && owned.has(own) ? own : (existingKey(draft, set, view, owned) ?? own ?? made)
    return { place, entry: entryOf(set, key, draft) }
  })
}

/** Where a row stands: no two rows of a file say the same place. */
export function placeOf({
  businessKey,
  from,
  scope,
}: Pick<RowDraft, 'businessKey' | 'from' | 'scope'>): string {
  return JSON.stringify([businessKey, scopeText(scope), from])
}

function exactly({ businessKey, from, scope }: RowDraft): string {
  const where = scope.kind === 'org' ? '' : `\n${scopeText(scope)}`
  return `${businessKey ?? ''}\n${from ?? ''}${where}`
}

/** The key of the entry that is there already for the key, scope and first day, whoever named it; none that is `owned`. */
function existingKey(
  { businessKey, from, scope }: RowDraft,
  set: string,
  view: ComponentView,
  owned: ReadonlySet<string>,
): string | null {
  const where = scopeText(scope)
  for (const { key, body } of view.entriesAt(set, businessKey))
    if ((body.effectiveFrom ?? null) === from && scopeText(body.scope) === where && !owned.has(key))
      return key
  return null
}

function entryOf(
  set: string,
  key: string,
  { businessKey, from, to, scope, priority, values, label }: RowDraft,
): Entry {
  const dates = from === null ? {} : { effectiveFrom: from, effectiveTo: to }
  const ranked = priority === null ? {} : { priority }
  const body = {
    set,
    ...(businessKey === null ? {} : { key: businessKey }),
    scope,
    ...ranked,
    ...dates,
    values,
  }
  return { type: 'config_entry', key, label, body }
}
