// Fields of a set by identity: a field that was removed and added again is a different field, unless a rollback or a
// revert restored the definition.
import { splitId } from '#kernel/components/component.ts'
import { includesGeneration, type ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'

interface Definition {
  from: number
  digest: string
  /** By key: the generation that added the field. */
  born: ReadonlyMap<string, number>
}

/** By field of generation `since` that the set no longer has: the generation that removed it. */
export function removedFieldsOf(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  identity: ComponentIdentity,
  { fields, since }: { fields: readonly string[]; since: number },
): Map<string, number> {
  const definitions = definitionsOf(reader, identity)
  const bound = definitions.findLast(({ from }) => from <= since) ?? definitions[0]
  const today = definitions.at(-1)
  const gone = new Map<string, number>()
  for (const field of fields) {
    const birth = bound?.born.get(field)
    if (birth === undefined || today!.born.get(field) === birth) continue
    const kept = definitions.findLastIndex(({ born }) => born.get(field) === birth)
    gone.set(field, definitions[kept + 1]!.from)
  }
  return gone
}

function definitionsOf(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  identity: ComponentIdentity,
): Definition[] {
  const definitions: Definition[] = []
  for (const spell of reader.identities.keyPeriods(identity))
    for (const { digest, from, to } of reader.components
      .versions(spell.id)
      .toSorted((a, b) => a.from - b.from)) {
      if (!includesGeneration(spell, from)) continue
      // Its last generation, because the first one may have been purged.
      const last = to === null ? reader.generations.active() : to - 1
      const fields = reader.generations.view(last).get('config_set', splitId(spell.id).key)?.body.fields ?? []
      const isRestored = reader.generations.get(from)?.kind !== 'apply'
      const same = isRestored ? definitions.find((earlier) => earlier.digest === digest) : undefined
      const births = (same ?? definitions.at(-1))?.born
      definitions.push({
        from,
        digest,
        born: new Map(fields.map(({ key }) => [key, births?.get(key) ?? from])),
      })
    }
  return definitions
}
