// Fields of a set by identity: one that was removed and made again is a different field, unless a rollback or a revert
// brought the definition back.
import { splitId } from '#kernel/components/component.ts'
import { covers, type ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'

interface Definition {
  from: number
  digest: string
  /** By key, the generation that the field was added with. */
  born: ReadonlyMap<string, number>
}

/** The generation that removed the field of generation `since`; null if the set still has it. */
export function fieldGoneAt(
  reader: OrgReader,
  identity: ComponentIdentity,
  { field, since }: { field: string; since: number },
): number | null {
  const definitions = definitionsOf(reader, identity)
  const bound = definitions.findLast(({ from }) => from <= since) ?? definitions[0]
  const birth = bound?.born.get(field)
  if (bound === undefined || birth === undefined) return null
  if (definitions.at(-1)!.born.get(field) === birth) return null
  const kept = definitions.findLastIndex(({ born }) => born.get(field) === birth)
  return definitions[kept + 1]!.from
}

function definitionsOf(reader: OrgReader, identity: ComponentIdentity): Definition[] {
  const definitions: Definition[] = []
  for (const spell of reader.spellsOf(identity))
    for (const { digest, from, to } of reader.versions(spell.id).toSorted((a, b) => a.from - b.from)) {
      if (!covers(spell, from)) continue
      // Its last generation: the first one may have been purged.
      const last = to === null ? reader.activeGeneration() : to - 1
      const fields = reader.view(last).get('config_set', splitId(spell.id).key)?.body.fields ?? []
      const isRestored = reader.generation(from)?.kind !== 'apply'
      const same = isRestored ? definitions.find((earlier) => earlier.digest === digest) : undefined
      const known = (same ?? definitions.at(-1))?.born
      definitions.push({
        from,
        digest,
        born: new Map(fields.map(({ key }) => [key, known?.get(key) ?? from])),
      })
    }
  return definitions
}
