// Explains why an expression failed, to users who can read everything that it has read: the message can contain a value of
// the record, of one that it refers to, or of configuration.
import { objectPrograms, type FieldProblem } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { canSeeRecord } from './authorise.ts'
import type { Save } from './save.ts'
import { viewSave } from './shape.ts'

type Path = readonly string[]

/** A problem as a user can see it. */
type ShownProblem = Omit<FieldProblem, 'failure'>

export function nameFailures(
  context: Save['context'],
  problems: readonly FieldProblem[],
  isReadable: (path: Path) => boolean,
): ShownProblem[] {
  return problems.map(({ failure, ...problem }) => {
    if (failure === undefined) return problem
    // What the actor can read, others may be unable to.
    if (context.keepsErrors) return problem
    const { sets, paths, message, facts } = failure
    const isShown = sets.every((set) => canReadSet(context, set)) && paths.every(isReadable)
    return isShown ? { ...problem, message, ...facts } : problem
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

/** Whether a path is an entered or stored field of the record itself that the user can read. */
export function ownPathIsReadable(save: Save, path: Path): boolean {
  const { context, object } = save
  const field = path.length === 1 ? objectPrograms(context.present.view, object)?.field(path[0]!) : undefined
  // A virtual formula is computed from fields that can be hidden from the user.
  if (field === undefined || field.formula?.stored === false) return false
  return context.access.canReadField(object, field.key) && canSeeOwn(save)
}

/** The paths of problems along which the user can read every field and every record; what virtual formulas read is among them. */
export async function readablePaths(save: Save, problems: readonly FieldProblem[]): Promise<Set<Path>> {
  const readable = new Set<Path>()
  const paths = problems.flatMap(({ failure }) => failure?.paths ?? [])
  if (paths.length === 0 || !canSeeOwn(save)) return readable
  for (const path of paths) if (await isReadablePath(save, path)) readable.add(path)
  return readable
}

/** Whether the user can see the record of a save; one that follows from another save can be hidden. */
function canSeeOwn(save: Save): boolean {
  const { isChecked, object } = save
  const { access } = save.context
  if (isChecked) return true
  if (!access.may(object, 'read')) return false
  return access.accessToAll(object) !== 'none' || access.rowAccess(viewSave(save)) !== 'none'
}

async function isReadablePath(save: Save, path: Path): Promise<boolean> {
  const { access, present } = save.context
  let [object, values]: [string, StoredRecord['values']] = [save.object, save.values]
  for (const [index, name] of path.entries()) {
    const field = objectPrograms(present.view, object)?.field(name)
    if (field === undefined || !access.canReadField(object, field.key)) return false
    if (index === path.length - 1) return true
    const id = values.get(present.names.fieldIds(object).get(field.key)!)
    const target = typeof id === 'string' ? save.loaded(id) : undefined
    if (target === undefined) return true
    object = field.references!
    if (!(await canSeeRecord(save.context, object, target as StoredRecord))) return false
    values = target.values
  }
  return true
}
