// Formulas and roll-ups that a change list gives a different meaning: their stored values keep the earlier one until their
// records are recomputed. What an expression calls and reads is a part of its meaning, and how it is written is not.
import { impactReaders, type Candidate } from '#kernel/change/index.ts'
import { componentId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { LocalObjectBody } from '#kernel/components/object/body.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { MeaningNumbers, Meanings } from '#kernel/expr/index.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import { fieldKey, type FieldId, type ObjectId } from '#kernel/records/index.ts'
import { includesGeneration, type ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { idsAfter, type CycleCheck } from './bound-cycles.ts'

type Reader = Pick<OrgReader, 'generations' | 'identities' | 'recordFacts'>
type ObjectField = LocalObjectBody['fields'][number]

interface KeptInput extends CycleCheck {
  /** Of the candidate. */
  graph: ReferenceGraph
}

export function keptValues(reader: Reader, input: KeptInput): Finding[] {
  const { base, candidate, graph } = input
  const keys = affectedObjects(candidate, graph)
  if (keys.length === 0 || !reader.recordFacts.any()) return []
  const numbers = new MeaningNumbers()
  const idsOf = idsAfter(reader, input)
  const after = meaningsAfter(reader, input, idsOf, numbers)
  const earlier = new EarlierMeanings(reader, numbers)
  const bound = reader.recordFacts.boundGenerations()
  return keys.flatMap((key): Finding[] => {
    const id = componentId('object', key)
    const object = reader.identities.at(base, idBefore(candidate, id)) as ObjectId | undefined
    const body = candidate.view.get('object', key)?.body
    const count = object === undefined ? 0 : reader.recordFacts.count(object)
    if (object === undefined || body?.storage !== 'local' || count === 0) return []
    return body.fields.flatMap((field, index) => {
      const fieldId = idsOf(key).get(field.key)
      const now = after.ofStoredField(key, field)
      if (now === null || fieldId === undefined || fieldId < 0) return []
      const was = earlier.of(base, object, fieldId)
      if (was === null || was === now) return []
      // A rollback brings back what values of before still keep. They are only counted if there can be any.
      const same = bound.filter((generation) => earlier.of(generation, object, fieldId) === now)
      const kept = same.length === 0 ? [] : reader.recordFacts.keptValues(object, fieldId)
      const unchanged = kept.filter(({ generation }) => same.includes(generation))
      const left = unchanged.reduce((sum, each) => sum - each.count, count)
      return left <= 0 ? [] : [finding(id, index, field, left)]
    })
  })
}

/** The objects that the list changes, or that read what it changes, by their keys in the candidate. */
function affectedObjects({ changes }: Pick<Candidate, 'changes'>, graph: ReferenceGraph): string[] {
  const roots = changes.filter(({ id }) => ['object', 'calc_function'].includes(splitId(id).type))
  const ids = [...roots.map(({ id }) => id), ...impactReaders(roots, graph).map(({ id }) => id)]
  const keys = ids.map(splitId).flatMap(({ type, key }) => (type === 'object' ? [key] : []))
  return [...new Set(keys)].toSorted()
}

function idBefore({ changes }: Pick<Candidate, 'changes'>, id: ComponentId): ComponentId {
  const change = changes.find((each) => each.id === id)
  return change?.kind === 'renamed' ? change.from : id
}

function meaningsAfter(
  reader: Reader,
  { base, candidate }: KeptInput,
  idsOf: ReturnType<typeof idsAfter>,
  numbers: MeaningNumbers,
): Meanings {
  const { view, changes } = candidate
  const added = new Set(changes.flatMap(({ id, kind }) => (kind === 'added' ? [id] : [])))
  const component = (id: ComponentId): string =>
    added.has(id) ? `added ${id}` : (reader.identities.at(base, idBefore(candidate, id)) ?? id)
  return new Meanings(view, namesOf(component, idsOf), numbers)
}

/** The meanings of earlier generations, by identities. */
class EarlierMeanings {
  readonly #reader: Reader
  readonly #numbers: MeaningNumbers
  readonly #views = new Map<number, { view: ComponentView; meanings: Meanings }>()

  constructor(reader: Reader, numbers: MeaningNumbers) {
    this.#reader = reader
    this.#numbers = numbers
  }

  /** Null if the field did not exist in the generation, or if its values were not computed. */
  of(generation: number, object: ObjectId, id: FieldId): number | null {
    const { identities } = this.#reader
    const periods = identities.keyPeriods(object as unknown as ComponentIdentity)
    const period = periods.find((each) => includesGeneration(each, generation))
    if (period === undefined) return null
    const { key } = splitId(period.id)
    const { view, meanings } = this.#at(generation)
    const body = view.get('object', key)?.body
    if (body?.storage !== 'local') return null
    const name = fieldKey(identities.fields(generation, key), id)
    const field = body.fields.find((each) => each.key === name)
    return field === undefined ? null : meanings.ofStoredField(key, field)
  }

  #at(generation: number): { view: ComponentView; meanings: Meanings } {
    let known = this.#views.get(generation)
    if (known === undefined) {
      const { generations, identities } = this.#reader
      const view = generations.view(generation)
      const names = namesOf(
        (id) => identities.at(generation, id) ?? id,
        (object) => identities.fields(generation, object),
      )
      known = { view, meanings: new Meanings(view, names, this.#numbers) }
      this.#views.set(generation, known)
    }
    return known
  }
}

function namesOf(
  component: (id: ComponentId) => string,
  idsOf: (object: string) => ReadonlyMap<string, FieldId>,
): ConstructorParameters<typeof Meanings>[1] {
  const known = new Map<string, ReadonlyMap<string, FieldId>>()
  return {
    component,
    field: (object, field) => {
      let ids = known.get(object)
      if (ids === undefined) known.set(object, (ids = idsOf(object)))
      const id = ids.get(field)
      return id === undefined || id < 0 ? `added ${object}.${field}` : String(id)
    },
  }
}

function finding(id: ComponentId, index: number, { key, label = key }: ObjectField, count: number): Finding {
  const values =
    count === 1
      ? `1 stored value of ${label} keeps`
      : `${count.toLocaleString('en')} stored values of ${label} keep`
  return {
    ...{ severity: 'info', code: 'object.values_kept', component: id, path: `/body/fields/${index}` },
    message: `${values} the earlier formula until ${count === 1 ? 'its record is' : 'their records are'} recomputed. If it reads no configuration, the next save of a record computes its value too.`,
    related: [],
  }
}
