// What a program reads through virtual formulas, of its own record and along references: each of them reads dated sets as of
// the date of its own record (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { ComponentView } from '../components/view.ts'
import type { FieldPath } from '../expr/index.ts'
import { civilDateOf } from './evaluate-record.ts'
import { rowPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
import type { RecordView } from './record-view.ts'

/** A field as a path from the record of a program. */
export type FieldPlace = readonly string[]

interface VirtualReads {
  /** The as-of fields of the virtual formulas that read a dated set. */
  asOfFields: readonly FieldPlace[]
  /** What the program and its virtual formulas read: no virtual formula is among them. */
  fields: readonly FieldPath[]
  /** Those virtual formulas. */
  formulas: readonly FieldPath[]
}

const known = new WeakMap<FieldProgram, VirtualReads>()

/**
 * The as-of fields of the virtual formulas that a program can read, as paths of keys.
 * @param object of the program, in the view that it was compiled over
 */
export function asOfFieldsRead(
  view: ComponentView,
  object: string,
  program: FieldProgram,
): readonly FieldPlace[] {
  return virtualReads(view, object, program).asOfFields
}

/** The fields that a program reads, also through virtual formulas, with those formulas and their as-of fields. */
export function fieldsRead(view: ComponentView, object: string, program: FieldProgram): readonly FieldPath[] {
  const { fields, formulas } = virtualReads(view, object, program)
  return [...fields, ...formulas]
}

function virtualReads(view: ComponentView, object: string, program: FieldProgram): VirtualReads {
  let reads = known.get(program)
  if (reads === undefined) known.set(program, (reads = findReads(view, object, program)))
  return reads
}

function findReads(view: ComponentView, object: string, root: FieldProgram): VirtualReads {
  const asOfFields = new Map<string, FieldPlace>()
  const fields = new Map<string, FieldPath>()
  const formulas = new Map<string, FieldPath>()
  /** @param isPrior whether the program is evaluated over the record from before the save */
  const visit = (start: string, { paths }: FieldProgram, before: FieldPlace, isPrior: boolean): void => {
    for (const read of paths) {
      const prior = isPrior || read.prior
      let at: ObjectPrograms | null = rowPrograms(view, start)
      let path = before
      for (const [index, name] of read.path.entries()) {
        const field = at?.field(name)
        if (at === null || field === undefined) break
        const chain = path
        path = [...chain, field.key]
        if (field.formula?.stored === false) visitVirtual(at, field.key, chain, prior)
        else if (index === read.path.length - 1) fields.set(placeOf(path, prior), { path, prior })
        at = field.references === undefined ? null : rowPrograms(view, field.references)
      }
    }
  }
  const visitVirtual = (programs: ObjectPrograms, key: string, chain: FieldPlace, prior: boolean): void => {
    const own = [...chain, key]
    const place = placeOf(own, prior)
    if (formulas.has(place)) return
    formulas.set(place, { path: own, prior })
    const formula = programs.formula(programs.field(key)!)!
    const date = asOfFieldOf(programs, formula)
    if (date !== null) {
      const path = [...chain, date]
      asOfFields.set(path.join('.'), path)
      fields.set(placeOf(path, prior), { path, prior })
    }
    visit(programs.object, formula, chain, prior)
  }
  visit(object, root, [], false)
  return {
    asOfFields: [...asOfFields.values()],
    fields: [...fields.values()],
    formulas: [...formulas.values()],
  }
}

const placeOf = (path: FieldPlace, prior: boolean): string => `${prior ? 'prior ' : ''}${path.join('.')}`

/** The key of the as-of field of a program; null if it reads no dated set. */
export function asOfFieldOf(programs: ObjectPrograms, { program }: FieldProgram): string | null {
  if (!program.dated || program.asOfField === null) return null
  return programs.field(program.asOfField.field)?.key ?? null
}

/**
 * The as-of fields whose date is not the kept one. Without a kept date, the value was stored before dates were kept: it has
 * its generation until it is recomputed.
 * @param kept dotted path → date or datetime
 */
export function changedDates(
  record: RecordView,
  places: readonly FieldPlace[],
  kept: Readonly<Record<string, unknown>>,
): readonly FieldPlace[] {
  return places.filter((place) => {
    const path = place.join('.')
    return Object.hasOwn(kept, path) && civilDateOf(kept[path]) !== civilDateOf(valueAt(record, place))
  })
}

function valueAt(record: RecordView, place: FieldPlace): FieldValue {
  let at: RecordView | null = record
  for (const name of place.slice(0, -1)) at = at?.follow(name) ?? null
  return at?.value(place.at(-1)!) ?? null
}
