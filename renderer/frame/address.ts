// Addresses of components and of places in them.
import type { ComponentId } from '../api/wire.ts'

/** The page of `<type>/<key>`, at the place of a JSON pointer if there is one. */
export function addressOf(id: string, pointer = ''): { path: string; query?: Record<string, string> } {
  const slash = id.indexOf('/')
  if (slash < 1) return { path: '/' }
  const path = `/c/${id.slice(0, slash)}/${encodeURIComponent(id.slice(slash + 1))}`
  return pointer === '' ? { path } : { path, query: { at: pointer } }
}

/** The component of a URL; null if it is the URL of another page. */
export function idOfAddress(path: string): ComponentId | null {
  const [, type, key] = /^\/c\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (type === undefined) return null
  try {
    return `${type}/${decodeURIComponent(key!)}` as ComponentId
  } catch {
    // A percent sign that the user typed into the URL.
    return null
  }
}
