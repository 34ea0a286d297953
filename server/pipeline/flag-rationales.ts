// Every rationale that a flag has had: a new one must differ from all of them
// (docs/reference/pipeline-and-approvals.md).
import type { Change } from '#kernel/change/index.ts'
import { componentId, splitId } from '#kernel/components/component.ts'
import type { RuleContext } from '#kernel/components/define.ts'
import { includesGeneration } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'

/** Uses the keys that flags have after `changes`, and follows each identity through the renames before the base. */
export function formerRationales(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  base: number,
  changes: readonly Change[],
): RuleContext['formerRationales'] {
  return (flag) => {
    const id = componentId('feature_flag', flag)
    const own = changes.find((change) => change.id === id)
    const identity = reader.identities.at(base, own?.kind === 'renamed' ? own.from : id)
    if (identity === undefined) return []
    return reader.identities.keyPeriods(identity).flatMap((spell) =>
      reader.components
        .versions(spell.id)
        .filter(({ from }) => includesGeneration(spell, from))
        .flatMap(({ to }) => {
          // Its last generation, because the first one may have been purged.
          const last = to === null ? base : to - 1
          return (
            reader.generations.view(last).get('feature_flag', splitId(spell.id).key)?.body.rationale ?? []
          )
        }),
    )
  }
}
