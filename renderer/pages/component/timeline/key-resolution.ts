// What a key resolves to on a day, for everyone and for the scopes that have their own rows, resolved by the kernel.
import { resolveFast } from '#kernel/config/resolve.ts'
import { buildSetSlice, SINGLETON_KEY } from '#kernel/config/slice.ts'
import { scopeText, type Scope, type ScopePath } from '#kernel/components/scopes.ts'
import type { Digest } from '#kernel/change/digest.ts'
import type { DayNumber } from '#kernel/dates/civil-date.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'
import { definitionOf, entriesOf } from './key-entries.ts'

export interface ScopeResolution {
  scope: Scope
  /** The row that it resolves to; null if no row applies. */
  row: RowId | null
}

/** Resolves a key: for everyone first, then for each scope that has rows, most specific last. */
export function resolveKeyAt(
  sheet: Sheet,
  declared: EntrySet,
  key: string | null,
  day: DayNumber,
): ScopeResolution[] {
  const entries = entriesOf(sheet, declared, key)
  const rows = new Map(entries.map(({ entry, row }) => [entry.key, row]))
  const slice = buildSetSlice(
    definitionOf(declared),
    entries.map(({ entry }) => entry),
    '' as Digest,
  )
  const scopes = new Map<string, Scope>([['org', { kind: 'org' }]])
  for (const { entry } of entries) scopes.set(scopeText(entry.body.scope), entry.body.scope)
  return [...scopes.values()].map((scope) => {
    const found = resolveFast(slice, key ?? SINGLETON_KEY, pathOf(scope), day)
    return { scope, row: found === null ? null : (rows.get(found.entry) ?? null) }
  })
}

function pathOf(scope: Scope): ScopePath {
  switch (scope.kind) {
    case 'org':
      return {}
    case 'environment':
      return { environment: scope.environment }
    case 'app':
      return { app: scope.app }
    case 'locale':
      return { locale: scope.locale }
    case 'permission_set':
      return { permission_set: [scope.permissionSet] }
    case 'user':
      return { user: scope.user }
  }
}
