// Which fields of a record are read: by key, alias, or along references.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import { rowPrograms, type FieldProblem, type ObjectPrograms } from '#kernel/records/index.ts'
import type { RecordCaller } from './record-caller.ts'

export interface ProjectedField {
  /** As it was asked for. */
  name: string
  /** References, and then the field. */
  path: readonly { object: string; field: ObjectField }[]
}

/** All fields of an object, each by its key and by its aliases. */
export function fullProjection({ object, body }: ObjectPrograms): ProjectedField[] {
  return body.fields.flatMap((field) =>
    [field.key, ...field.aliases].map((name) => ({ name, path: [{ object, field }] })),
  )
}

/** @throws AlmanacError `request.invalid` naming each unknown field */
export function projectionOf(
  caller: RecordCaller,
  programs: ObjectPrograms,
  names: readonly string[],
): ProjectedField[] {
  const problems: FieldProblem[] = []
  const fields = [...new Set(names)].flatMap((name): ProjectedField[] => {
    const path = pathOf(caller, programs, name)
    if (Array.isArray(path)) return [{ name, path }]
    problems.push({ field: name, code: 'record.unknown_field', message: path as string })
    return []
  })
  if (problems.length > 0)
    throw new AlmanacError('request.invalid', problems.map(({ message }) => message).join(' '), {
      details: problems,
    })
  return fields
}

/**
 * The fields along a dotted name, or what is wrong with it. A field that the caller cannot read is part of its object,
 * unless only `readable` ones are: an order by its values would reveal them.
 */
export function pathOf(
  { present, access }: RecordCaller,
  { object: start }: ObjectPrograms,
  name: string,
  fields: 'all' | 'readable' = 'all',
): ProjectedField['path'] | string {
  const path: { object: string; field: ObjectField }[] = []
  let object: string | undefined = start
  const steps = name.split('.')
  for (const [index, step] of steps.entries()) {
    const programs: ObjectPrograms | null = object === undefined ? null : rowPrograms(present.view, object)
    if (object === undefined || programs === null || !access.canSeeObject(object))
      return `${truncateInput(name)}: ${path.map(({ field }) => field.key).join('.')} is not a reference to an object with records.`
    const field = programs.field(step)
    if (field === undefined || (fields === 'readable' && !access.canReadField(object, field.key))) {
      const readable = programs.body.fields.filter(({ key }) => access.canReadField(object!, key))
      const known = readable.map(({ key }) => key)
      return `${object} has no field "${truncateInput(step)}".${didYouMean(step, known)}`
    }
    if (programs.isVirtual && index > 0 && index < steps.length - 1)
      return `${truncateInput(name)}: ${object} is virtual, so a path cannot lead through it. Read ${path.map((each) => each.field.key).join('.')}.${step}, and then the record that it names.`
    path.push({ object, field })
    object = field.references
  }
  return path
}
