// A body with a member for each value that a webhook endpoint reads, to fill in before it is sent as a test.
import { isObject } from '../../../widgets/widget.ts'

type Members = { [name: string]: Members | string }

/** @param body of the webhook endpoint */
export function exampleBody(body: unknown, newId: string): string {
  const { dispatch, dedupe } = (isObject(body) ? body : {}) as {
    dispatch?: { values?: unknown; upsert?: { values?: unknown } }
    dedupe?: { idHeader?: unknown }
  }
  const members: Members = {}
  const values = dispatch?.upsert?.values ?? dispatch?.values
  if (isObject(values))
    for (const pointer of Object.values(values)) if (typeof pointer === 'string') put(members, pointer, '')
  const id = dedupe?.idHeader
  if (typeof id === 'string' && id.startsWith('body:')) put(members, id.slice('body:'.length), newId)
  return JSON.stringify(members, null, 2)
}

/** Puts a text at a JSON pointer, unless something is there. */
function put(members: Members, pointer: string, text: string): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = names.pop()
  if (last === undefined) return
  let at = members
  for (const name of names) {
    const next: Members[string] | undefined = Object.hasOwn(at, name)
      ? at[name]
      : define<Members>(at, name, {})
    if (typeof next !== 'object') return
    at = next
  }
  if (!Object.hasOwn(at, last) || at[last] === '') define(at, last, text)
}

/** Also under the name `__proto__`. */
function define<V extends Members | string>(at: Members, name: string, value: V): V {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true })
  return value
}
