// Reads and edits a JSON value in place at a pointer (RFC 6901). To edit, pass a copy.

type Container = Record<string, unknown> | unknown[]

/** Returns the steps of a pointer: `/body/fields/0` gives body, fields, 0. */
export function stepsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at the pointer, or undefined. */
export function valueAt(root: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>(
    (value, step) => (isContainer(value) ? (value as Record<string, unknown>)[step] : undefined),
    root,
  )
}

/** Sets the value at the pointer, which must exist. */
export function setAt(root: unknown, path: string, value: unknown): void {
  const steps = stepsOf(path)
  const last = steps.pop()!
  const parent = valueAt(root, pointerOf(steps))
  if (isContainer(parent)) (parent as Record<string, unknown>)[last] = value
}

/**
 * Renames properties of the object at the pointer, all at once, so that two of them can be swapped; their order does not
 * change. A property that already has the new name and keeps it wins.
 */
export function renameKeysAt(root: unknown, path: string, names: ReadonlyMap<string, string>): void {
  const owner = valueAt(root, path)
  if (!isContainer(owner) || Array.isArray(owner)) return
  const entries = Object.entries(owner)
  for (const [key] of entries) delete owner[key]
  const kept = new Set(entries.flatMap(([key]) => (names.has(key) ? [] : [key])))
  for (const [key, value] of entries) {
    const name = names.get(key) ?? key
    if (name === key || !kept.has(name)) owner[name] = value
  }
}

function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
