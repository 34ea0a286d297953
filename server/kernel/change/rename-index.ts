// The keys of components before and after a change list; a rename does not change values.
import { splitId, type ComponentId, type ComponentType } from '../components/component.ts'
import type { Scope, ScopePath } from '../components/scopes.ts'
import type { Change } from './change.ts'

/** Keys before and after a change list, even if keys are swapped or new components take them over. */
export class RenameIndex {
  /** Id after → id before. */
  readonly #before = new Map<string, ComponentId>()
  /** Id before → id after. */
  readonly #after = new Map<string, ComponentId>()
  readonly #added = new Set<string>()

  constructor(changes: Iterable<Change>) {
    for (const change of changes) {
      if (change.kind === 'added') this.#added.add(change.id)
      if (change.kind !== 'renamed') continue
      this.#before.set(change.id, change.from)
      this.#after.set(change.from, change.id)
    }
  }

  /** Returns the former key of the component that has this key after the list; null if the list adds it. */
  keyBefore(type: ComponentType, key: string): string | null {
    const id = `${type}/${key}`
    const from = this.#before.get(id)
    if (from !== undefined) return splitId(from).key
    return this.#added.has(id) || this.#after.has(id) ? null : key
  }

  /** Returns the new key of the component that has this key before the list, even if the list removes it. */
  keyAfter(type: ComponentType, key: string): string {
    const id = this.#after.get(`${type}/${key}`)
    return id === undefined ? key : splitId(id).key
  }

  /** Returns the key of a set or flag before the list; null if the list adds it. */
  setBefore(key: string): string | null {
    const asSet = this.keyBefore('config_set', key)
    return asSet === key ? this.keyBefore('feature_flag', key) : asSet
  }

  /** Returns the key of a set or flag after the list. */
  setAfter(key: string): string {
    const asSet = this.keyAfter('config_set', key)
    return asSet === key ? this.keyAfter('feature_flag', key) : asSet
  }

  /** Returns the scope of an entry before the list, with the names of apps and permission sets after it. */
  scopeAfter(scope: Scope): Scope {
    if (scope.kind === 'app') return { ...scope, app: this.keyAfter('app', scope.app) }
    if (scope.kind === 'permission_set')
      return { ...scope, permissionSet: this.keyAfter('permission_set', scope.permissionSet) }
    return scope
  }

  /** Returns the path of a subject with the names before the list. */
  pathBefore(path: ScopePath): ScopePath {
    if (this.#before.size === 0 && this.#added.size === 0) return path
    const { app, permission_set: held, ...rest } = path
    const appBefore = app === undefined ? null : this.keyBefore('app', app)
    const heldBefore = held?.flatMap((key) => this.keyBefore('permission_set', key) ?? [])
    return {
      ...rest,
      ...(appBefore === null ? {} : { app: appBefore }),
      ...(heldBefore === undefined ? {} : { permission_set: heldBefore.sort() }),
    }
  }
}
