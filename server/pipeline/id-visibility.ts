// Which rows of an org a viewer is shown, decided by id: one rule for local and HTTP access (docs/reference/access.md).
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { AuditSummary } from '../ports/audit.ts'
import type { AuditRow } from '#wire/index.ts'

/** What the same user can see of the content of a generation, under the names of that time; null for everything. */
export function viewerAt(reader: OrgReader, viewer: Viewer | null, generation: number): Viewer | null {
  return viewer === null ? null : viewer.at(reader, generation)
}

/** A generation as its viewer sees it; all of it if `viewer` is null. */
export function narrowView(view: ComponentView, viewer: Viewer | null): ComponentView {
  return viewer === null ? view : viewer.narrow(view)
}

/** Whether a component may be shown: an entry with the values of its set, a set or flag with its definition. */
export function isIdVisible(id: ComponentId, viewer: Viewer | null): boolean {
  if (viewer === null) return true
  const { type, key } = splitId(id)
  if (type === 'config_entry') return viewer.visibility.canSeeValues(key.split('.')[0]!)
  return type === 'config_set' || type === 'feature_flag' ? viewer.visibility.canSeeDefinition(key) : true
}

/** Whether a component belongs to an existing set or flag that is not shown. A missing set or flag hides nothing. */
export function isIdHidden(id: ComponentId, viewer: Viewer | null): boolean {
  if (viewer === null || isIdVisible(id, viewer)) return false
  return viewer.has(splitId(id).key.split('.')[0]!)
}

/** An auditor sees that something changed; the old and new content of a set that hides itself is omitted. */
export function redactAuditRow(reader: OrgReader, row: AuditRow, viewer: Viewer | null): AuditRow {
  if (viewer === null || isAuditRowVisible(reader, row, viewer)) return row
  return { ...row, before: null, after: null }
}

function isAuditRowVisible(reader: OrgReader, row: AuditRow, viewer: Viewer): boolean {
  const { component, before, after } = row
  if (component.startsWith('result/'))
    return [before, after].every((result) => {
      const { generation, sets } = bindingOf(result)
      const { canSeeValues } = viewer.at(reader, generation ?? reader.generations.active()).visibility
      return sets.every(canSeeValues)
    })
  const { key = null } = (before ?? {}) as { key?: string }
  return isAuditContentVisible(reader, { ...row, formerKey: key }, viewer)
}

/** The columns that identify the content of an audit row. */
type AuditPlace = Pick<AuditSummary, 'component' | 'kind' | 'generation' | 'formerKey'>

/** Whether the content behind an audit row is shown; for a stored result, its row decides. */
export function isAuditContentVisible(
  reader: OrgReader,
  { component, kind, generation, formerKey }: AuditPlace,
  viewer: Viewer | null,
): boolean {
  const slash = component.indexOf('/')
  const type = component.slice(0, slash)
  if (viewer === null || slash < 1 || !isComponentType(type)) return true
  const id = component as ComponentId
  if (generation === null) return isIdVisible(id, viewer)
  const wasShown = (was: ComponentId): boolean => isIdVisible(was, viewer.at(reader, generation - 1))
  if (kind === 'removed') return wasShown(id)
  if (kind === 'renamed' && formerKey !== null && !wasShown(`${type}/${formerKey}`)) return false
  return isIdVisible(id, viewer.at(reader, generation))
}

/** The sets that a stored result read, and the generation to which their keys belong. */
function bindingOf(result: JsonValue): { generation: number | undefined; sets: string[] } {
  const { binding } = (result ?? {}) as { binding?: { config?: object; generation?: number } }
  return { generation: binding?.generation, sets: Object.keys(binding?.config ?? {}) }
}
