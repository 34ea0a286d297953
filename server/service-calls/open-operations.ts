// The operations of the descriptions that are stored, opened when they are first called.
import { operationOf } from '#kernel/components/external-service/find-operation.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { openService, type CallableOperation, type OpenService } from '../external-services/index.ts'
import type { OrgStore } from '../ports/org-store.ts'

export interface OpenOperation {
  /** Of its description. */
  hash: string
  callable: CallableOperation
}

export interface OpenOperations {
  /** The operation that `<service>.<operation>` names in a generation; null if it has none. */
  at(this: void, view: ComponentView, key: string): OpenOperation | null
  /** By the hash of its description, and its name there. */
  find(this: void, hash: string, name: string): OpenOperation | null
}

/** Descriptions that are kept open; a large one takes some megabytes. */
const mostOpen = 8

export function createOpenOperations(store: Pick<OrgStore, 'read'>): OpenOperations {
  const opened = new Map<string, OpenService>()
  const open = (hash: string): OpenService | null => {
    const known = opened.get(hash)
    if (known !== undefined) return known
    const found = store.read(({ descriptions }) => {
      const [types, text] = [descriptions.types(hash), descriptions.bundleText(hash)]
      return types === undefined || text === undefined ? null : { types, text }
    })
    if (found === null) return null
    const service = openService(JSON.parse(found.text) as Parameters<typeof openService>[0], found.types)
    if (opened.size === mostOpen) opened.delete(opened.keys().next().value!)
    opened.set(hash, service)
    return service
  }
  const find: OpenOperations['find'] = (hash, name) => {
    const callable = open(hash)?.operation(name) ?? null
    return callable === null ? null : { hash, callable }
  }
  return {
    find,
    at: (view, key) => {
      const { service, name } = operationOf(view, key)
      const hash = view.get('external_service', service)?.body.spec.hash
      return hash === undefined ? null : find(hash, name)
    },
  }
}
