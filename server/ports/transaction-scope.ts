// Marks the code that runs inside a transaction, so that an outgoing call from there is caught at run time.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Scope {
  isOpen: boolean
  outer: Scope | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

/** Runs the work of a transaction. What the work leaves running after the end of the transaction is outside. */
export function insideTransaction<T>(work: () => T): T {
  const scope: Scope = { isOpen: true, outer: scopes.getStore() }
  const end = (): void => {
    scope.isOpen = false
  }
  return scopes.run(scope, () => {
    try {
      const result = work()
      if (result instanceof Promise) return result.finally(end) as T
      end()
      return result
    } catch (error) {
      end()
      throw error
    }
  })
}

export function isInsideTransaction(): boolean {
  for (let scope = scopes.getStore(); scope !== undefined; scope = scope.outer) if (scope.isOpen) return true
  return false
}
