// Webhook endpoints that are removed although deliveries to them have not been dispatched.
import type { Change } from '#kernel/change/index.ts'
import { splitId } from '#kernel/components/component.ts'
import { warningFinding } from '#kernel/components/report.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader } from '../ports/org-store.ts'

export function undispatched(
  { identities, recordFacts }: Pick<OrgReader, 'identities' | 'recordFacts'>,
  base: number,
  changes: readonly Change[],
): Finding[] {
  return changes.flatMap(({ id, kind }) => {
    const { type, key } = splitId(id)
    const identity = kind === 'removed' && type === 'webhook_endpoint' ? identities.at(base, id) : undefined
    const count = identity === undefined ? 0 : recordFacts.countUndispatched(identity)
    if (count === 0) return []
    const deliveries = count === 1 ? 'A delivery has' : `${count.toLocaleString('en')} deliveries have`
    const message = `${deliveries} not been dispatched. After the removal of ${key}, they fail.`
    return [warningFinding({ type, key }, '', 'webhook.undispatched', message)]
  })
}
