// Names the set and the key that an expression did not find, to users who can read the set and all that the expression
// read: the key can be a value of the record, or of one that it refers to.
import { objectPrograms, type FieldProblem } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { canSeeRecord } from './authorise.ts'
import type { Save } from './save.ts'

type Path = readonly string[]

/** A problem that names what configuration lacks. */
type NamedProblem = FieldProblem & { set?: string; key?: string | null }

export function nameConfiguration(
  context: Save['context'],
  problems: readonly FieldProblem[],
  isReadable: (path: Path) => boolean,
): NamedProblem[] {
  return problems.map(({ lacking, ...problem }) => {
    if (lacking === undefined) return problem
    const { set, key, title, text, paths } = lacking
    // What the actor can read, others may be unable to.
    if (context.keepsErrors) return problem
    if (!canReadSet(context, set) || !paths.every(isReadable)) return problem
    return { ...problem, message: problem.message.replace(title, () => text), set, key }
  })
}

function canReadSet(context: Save['context'], set: string): boolean {
  try {
    context.access.requireValues(set)
    return true
  } catch {
    return false
  }
}

/** Whether a path is a field of the record itself that the user can read. */
export function ownPathIsReadable(save: Save, path: Path): boolean {
  return path.length === 1 && isReadableField(save, save.object, path[0]!)
}

/** A virtual formula is computed from fields that can be hidden from the user. */
function isReadableField({ context }: Save, object: string, name: string): boolean {
  const field = objectPrograms(context.present.view, object)?.field(name)
  return (
    field !== undefined && field.formula?.stored !== false && context.access.canReadField(object, field.key)
  )
}

/** The paths of problems along which the user can read every field and every record. */
export async function readablePaths(save: Save, problems: readonly FieldProblem[]): Promise<Set<Path>> {
  const readable = new Set<Path>()
  for (const { lacking } of problems)
    for (const path of lacking?.paths ?? []) if (await isReadablePath(save, path)) readable.add(path)
  return readable
}

async function isReadablePath(save: Save, path: Path): Promise<boolean> {
  const { view, names } = save.context.present
  let [object, values]: [string, StoredRecord['values']] = [save.object, save.values]
  for (const [index, name] of path.entries()) {
    if (!isReadableField(save, object, name)) return false
    if (index === path.length - 1) return true
    const { key, references } = objectPrograms(view, object)!.field(name)!
    const id = values.get(names.fieldIds(object).get(key)!)
    const target = typeof id === 'string' ? save.loaded(id) : undefined
    if (target === undefined) return true
    object = references!
    if (!(await canSeeRecord(save.context, object, target as StoredRecord))) return false
    values = target.values
  }
  return true
}
