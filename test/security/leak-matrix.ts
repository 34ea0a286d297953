// Searches a route's responses to a user for hidden content. Requests are built from the declarations of the routes, so
// a new route is included; a route for which no request can be built is listed.
import type { Route } from '../../server/http/route.ts'
import type { Ask } from '../support/running-server.ts'
import { bodies, queries, type Material } from './leak-requests.ts'

export interface Shot {
  route: string
  method: string
  path: string
  body?: unknown
}

export interface Leak {
  route: string
  request: string
  marker: string
}

/** Routes for which no request can be built. */
export function unasked(routes: readonly Route[], material: Material): string[] {
  return routes.filter((route) => shotsOf(route, material).length === 0).map(({ name }) => name)
}

/** Every request to a route: each value of its parameters, alone and with each query, with each body. */
export function shotsOf(route: Route, material: Material): Shot[] {
  const { name, method, path } = route
  const sent = route.body === undefined ? [undefined] : (bodies(material)[name] ?? [])
  const queryStrings = ['', ...(queries(material)[name] ?? [])]
  return pathsOf(path, material).flatMap((filled) =>
    queryStrings.flatMap((query) =>
      sent.map((body) => ({ route: name, method: method.toUpperCase(), path: filled + query, body })),
    ),
  )
}

function pathsOf(
  path: string,
  { parameters, components }: Pick<Material, 'parameters' | 'components'>,
): string[] {
  // A type is followed by the key of a component of that type.
  if (path.includes('{type}/'))
    return components.flatMap(([type, key]) =>
      pathsOf(path.replace(/\{type\}\/\{\w+\}/, `${type}/${key}`), { parameters, components }),
    )
  const [, name] = /\{(\w+)\}/.exec(path) ?? []
  if (name === undefined) return [path]
  const place = path.slice(0, path.indexOf(`{${name}}`))
  const values = parameters[place] ?? parameters[name] ?? []
  return values.flatMap((value) =>
    pathsOf(path.replace(`{${name}}`, encodeURIComponent(value)), { parameters, components }),
  )
}

/** Markers in the response that were not in the request. */
export async function leaksOf(ask: Ask, shot: Shot, hidden: readonly string[]): Promise<Leak[]> {
  const { method, path, body } = shot
  const headers: Record<string, string> =
    shot.route === 'issueToken' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  const answer = await ask(method, path, body, headers)
  const output = [answer.text, ...[...answer.headers].flat()].join('\n')
  const sent = decodeURIComponent(path) + JSON.stringify(body ?? '')
  return markersIn(output, hidden)
    .filter((marker) => !sent.includes(marker))
    .map((marker) => ({
      route: shot.route,
      request: `${method} ${path} ${JSON.stringify(body) ?? ''}`,
      marker,
    }))
}

export function markersIn(text: string, hidden: readonly string[]): string[] {
  const plain = text.toLowerCase()
  return hidden.filter((marker) => plain.includes(marker.toLowerCase()))
}
