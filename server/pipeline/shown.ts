// What of an org's rows somebody is shown, judged by id: one rule for every door, local and HTTP (specification 5.5).
import { isComponentType, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { ActorSight } from '../access/index.ts'
import type { AuditRow } from '../ports/org-store.ts'

/** A generation as somebody sees it today; all of it where `sight` is null. */
export function shownView(view: ComponentView, sight: ActorSight | null): ComponentView {
  return sight === null ? view : sight.past(view)
}

/** Whether a component may be told of: an entry with the values of its set, a set or flag with its definition. */
export function idShown(id: ComponentId, sight: ActorSight | null): boolean {
  if (sight === null) return true
  const { type, key } = splitId(id)
  if (type === 'config_entry') return sight.visibility.values(key.split('.')[0]!)
  return type === 'config_set' || type === 'feature_flag' ? sight.visibility.definition(key) : true
}

/** The fact of a change is the auditor's to read; what a set that hides itself held, and came to, is not. */
export function shownAuditRow(row: AuditRow, sight: ActorSight | null): AuditRow {
  if (sight === null || auditShown(row, sight)) return row
  return { ...row, before: null, after: null }
}

function auditShown({ component, before, after }: AuditRow, sight: ActorSight): boolean {
  if (component.startsWith('result/'))
    return [...boundSets(before), ...boundSets(after)].every((set) => sight.visibility.values(set))
  return isAuditShown(component, sight)
}

/** Whether the content of what an audit row names is shown; of a stored result its row decides. */
export function isAuditShown(component: string, sight: ActorSight | null): boolean {
  const slash = component.indexOf('/')
  if (slash < 1 || !isComponentType(component.slice(0, slash))) return true
  return idShown(component as ComponentId, sight)
}

/** The sets that a stored result read. */
function boundSets(result: JsonValue): string[] {
  const { binding } = (result ?? {}) as { binding?: { config?: object } }
  return Object.keys(binding?.config ?? {})
}
