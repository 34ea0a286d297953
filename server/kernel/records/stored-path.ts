// The scope path at which a stored value is computed again (docs/reference/bindings-and-evidence.md).
import type { ScopePath } from '../components/scopes.ts'
import type { Binding } from '../config/index.ts'

/**
 * The scope path of a stored value, with an app. A binding contains only the parts that its value depends on; the others are
 * those of the request.
 */
export function storedPath(
  request: ScopePath,
  { scopePath: stored }: Pick<Binding, 'scopePath'>,
  app: string | undefined,
): ScopePath {
  const { app: _bound, ...others } = stored
  const { app: _requested, ...rest } = request
  const isSame = Object.entries(others).every(([kind, value]) => request[kind as keyof ScopePath] === value)
  // Equal paths are the same object, so that records share their bindings.
  if (isSame && request.app === app) return request
  return { ...rest, ...others, ...(app === undefined ? {} : { app }) }
}
