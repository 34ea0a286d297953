// What each formula and roll-up of a generation reads, by the identities of fields, which a rename keeps.
import type { ComponentId } from '#kernel/components/component.ts'
import { componentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { computedFields } from '#kernel/expr/index.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

type Reader = Pick<OrgReader, 'generations' | 'identities'>

export interface FieldReads {
  /** `<object>.<field>` in its generation. */
  name: string
  component: ComponentId
  /** JSON pointer to the formula or the roll-up in the component. */
  path: string
  /** The nodes that it reads. */
  needs: readonly string[]
  /** Null for a virtual formula, which stores nothing, and for a field of the candidate. */
  identity: { object: ObjectId; field: FieldId } | null
}

/** By node: the identity of a stored field, or the name of a virtual formula in its layer. */
export type FormulaReads = ReadonlyMap<string, FieldReads>

/**
 * @param layer distinguishes the virtual formulas of different generations
 * @param idsOf the identities of the fields of an object; negative for a field that does not exist yet
 */
export function readsOfView(
  view: ComponentView,
  layer: string,
  idsOf: (object: string) => ReadonlyMap<string, FieldId>,
  objectOf: (object: string) => ObjectId | undefined = () => undefined,
): FormulaReads {
  const fields = computedFields(view)
  const virtual = new Set(fields.flatMap((each) => (each.isStored ? [] : [`${each.object}.${each.field}`])))
  const known = new Map<string, ReadonlyMap<string, FieldId>>()
  const idOf = (object: string, field: string): FieldId | undefined => {
    let ids = known.get(object)
    if (ids === undefined) known.set(object, (ids = idsOf(object)))
    return ids.get(field)
  }
  const nodeOf = (name: string): string => {
    const [object, field] = name.split('.') as [string, string]
    const id = idOf(object, field)
    return virtual.has(name) || id === undefined || id < 0 ? `${layer}:${name}` : String(id)
  }
  return new Map(
    fields.map(({ object, field, path, isStored, needs }) => {
      const name = `${object}.${field}`
      const [own, id] = [objectOf(object), idOf(object, field)]
      const identity = !isStored || own === undefined || id === undefined ? null : { object: own, field: id }
      const reads = {
        name,
        component: componentId('object', object),
        path,
        needs: needs.map(nodeOf),
        identity,
      }
      return [nodeOf(name), reads]
    }),
  )
}

export interface BoundLayer {
  /** Generations with the same objects. */
  generations: ReadonlySet<number>
  reads: FormulaReads
}

/** The formulas that stored values can be bound to: those of the base and of earlier generations. */
export function boundLayers(reader: Reader, base: number, bound: readonly number[]): BoundLayer[] {
  const generations = [...new Set([...bound, base])]
  const versions = [...reader.generations.view(base).list('object')].map(({ key }) =>
    reader.identities.objectVersions(reader.identities.at(base, componentId('object', key))!),
  )
  // Most generations change no object.
  const groups = Map.groupBy(generations, (generation) =>
    versions.map((each) => each.find((version) => version <= generation)).join(),
  )
  return [...groups.values()].map((group) => {
    const at = group[0]!
    const reads = readsOfView(
      reader.generations.view(at),
      String(at),
      (key) => reader.identities.fields(at, key),
      (key) => reader.identities.at(at, componentId('object', key)) as ObjectId | undefined,
    )
    return { generations: new Set(group), reads }
  })
}
