// What a program reads through virtual formulas, of its own record and along references: each of them reads dated sets as of
// the date of its own record (docs/reference/bindings-and-evidence.md).
import type { FieldValue } from '../components/field-types.ts'
import type { ComponentView } from '../components/view.ts'
import { civilDateOf } from './evaluate-record.ts'
import { objectPrograms, type FieldProgram, type ObjectPrograms } from './object-programs.ts'
import type { RecordView } from './record-view.ts'

/** A field as a path from the record of a program. */
export type FieldPlace = readonly string[]

interface VirtualReads {
  /** The as-of fields of the virtual formulas that read a dated set. */
  asOfFields: readonly FieldPlace[]
  /** What the program and its virtual formulas read: no virtual formula is among them. */
  fields: readonly FieldPlace[]
  /** Those virtual formulas. */
  formulas: readonly FieldPlace[]
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
export function fieldsRead(
  view: ComponentView,
  object: string,
  program: FieldProgram,
): readonly FieldPlace[] {
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
  const fields = new Map<string, FieldPlace>()
  const formulas = new Map<string, FieldPlace>()
  const visit = (start: string, { paths }: FieldProgram, before: FieldPlace): void => {
    for (const { path } of paths) {
      let at: ObjectPrograms | null = objectPrograms(view, start)
      let place = before
      for (const [index, name] of path.entries()) {
        const field = at?.field(name)
        if (at === null || field === undefined) break
        const chain = place
        place = [...chain, field.key]
        if (field.formula?.stored === false) visitVirtual(at, field.key, chain)
        else if (index === path.length - 1) fields.set(place.join('.'), place)
        at = field.references === undefined ? null : objectPrograms(view, field.references)
      }
    }
  }
  const visitVirtual = (programs: ObjectPrograms, key: string, chain: FieldPlace): void => {
    const place = [...chain, key].join('.')
    if (formulas.has(place)) return
    formulas.set(place, [...chain, key])
    const formula = programs.formula(programs.field(key)!)!
    const date = asOfFieldOf(programs, formula)
    if (date !== null) {
      const path = [...chain, date]
      asOfFields.set(path.join('.'), path)
      fields.set(path.join('.'), path)
    }
    visit(programs.object, formula, chain)
  }
  visit(object, root, [])
  const [dates, read, virtual] = [asOfFields, fields, formulas].map((found) => [...found.values()])
  return { asOfFields: dates!, fields: read!, formulas: virtual! }
}

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
