// A scope entry of a frozen flag cannot be added, changed or removed (docs/reference/resolution-and-dates.md).
import { canonicalJson, type JsonValue } from '../../change/canonical.ts'
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import type { Rule, RuleContext } from '../define.ts'
import { frozenFlag, frozenMessage } from '../feature-flag/frozen.ts'
import { errorFinding } from '../report.ts'

/** Refuses an entry that was added or changed. */
export const frozenChange: Rule<'config_entry'> = (entry, context) => {
  const flag = frozenFlag(entry.body.set, context)
  if (flag === null) return []
  const before = context.base?.get('config_entry', entry.key)
  if (before !== undefined && sameBody(before, entry)) return []
  const path = before === undefined ? '' : '/body'
  return [
    errorFinding(
      entry,
      path,
      'flag.frozen',
      `The scope entry cannot be ${before ? 'changed' : 'added'}. ${frozenMessage(flag)}`,
    ),
  ]
}

/** Refuses the removal of an entry. Rules run on existing components only, so the code that knows the removals calls this. */
export function frozenRemoval(removed: ComponentOf<'config_entry'>, context: RuleContext): Finding[] {
  const flag = frozenFlag(removed.body.set, context)
  return flag === null
    ? []
    : [errorFinding(removed, '', 'flag.frozen', `The scope entry cannot be removed. ${frozenMessage(flag)}`)]
}

function sameBody(a: ComponentOf<'config_entry'>, b: ComponentOf<'config_entry'>): boolean {
  return canonicalJson(a.body as JsonValue) === canonicalJson(b.body as JsonValue)
}
