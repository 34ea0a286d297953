// Gives rows their entry keys: those of existing entries, or slugs of key and first day.
import type { ComponentOf } from '../components/body-types.ts'
import type { FieldValue } from '../components/field-types.ts'
import { scopeText, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import { slugWithHash, slugOf } from './slug.ts'

type Entry = ComponentOf<'config_entry'>

/** One row for one business key, read and typed. */
export interface ParsedRow {
  line: number
  businessKey: string | null
  from: CivilDate | null
  to: CivilDate | null
  scope: Scope
  /** The priority of a row for a permission set. */
  priority: number | null
  values: Record<string, FieldValue>
  label: string
}

/** An entry, and the place that identifies its row even if the entry moves later. */
export interface ImportedEntry {
  rowKey: string
  entry: Entry
}

/** @param entryAt Returns the entry that a row of that place became in an earlier import. */
export function nameEntries(
  drafts: readonly ParsedRow[],
  set: string,
  view: ComponentView,
  entryAt: (place: string) => string | undefined,
): ImportedEntry[] {
  const slug = ({ businessKey, from, scope }: ParsedRow): string =>
    slugOf(businessKey, from, scopeText(scope))
  const claims = new Map<string, Set<string>>()
  // Entries that belong to a row, even if a repair moved them to the place of a different row.
  const owned = new Set<string>()
  for (const draft of drafts) {
    claims.set(slug(draft), (claims.get(slug(draft)) ?? new Set()).add(exactly(draft)))
    const entry = entryAt(rowKeyOf(draft))
    if (entry !== undefined && view.has('config_entry', entry)) owned.add(entry)
  }
  return drafts.map((draft) => {
    const place = rowKeyOf(draft)
    const own = entryAt(place)
    const plain = `${set}.${slug(draft)}`
    // An entry of another key claims the plain slug, in the file or in the org.
    const taken = claims.get(slug(draft))!.size > 1 || view.has('config_entry', plain)
    const hashedKey = taken ? `${set}.${slugWithHash(slug(draft), exactly(draft))}` : plain
    const key =
      own !== undefined && owned.has(own) ? own : (existingKey(draft, set, view, owned) ?? own ?? hashedKey)
    return { rowKey: place, entry: entryOf(set, key, draft) }
  })
}

/** Returns the place of a row, which is unique in a file. */
export function rowKeyOf({
  businessKey,
  from,
  scope,
}: Pick<ParsedRow, 'businessKey' | 'from' | 'scope'>): string {
  return JSON.stringify([businessKey, scopeText(scope), from])
}

function exactly({ businessKey, from, scope }: ParsedRow): string {
  const where = scope.kind === 'org' ? '' : `\n${scopeText(scope)}`
  return `${businessKey ?? ''}\n${from ?? ''}${where}`
}

/**
 * Returns the key of the existing entry for the key, scope and first day, with any name; `owned` entries do not count.
 */
function existingKey(
  { businessKey, from, scope }: ParsedRow,
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
  { businessKey, from, to, scope, priority, values, label }: ParsedRow,
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
