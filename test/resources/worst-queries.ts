// The worst URLs of a route, generated from its declaration: every parameter of the path and of the query, with
// values that a large org has and with unexpected ones.
import { z } from 'zod'
import type { Route } from '../../server/http/route.ts'
import { farKey } from './far-org.ts'

export interface WorstAddress {
  kind: string
  path: string
  headers?: Record<string, string>
}

/** Names of the large org for the parameters of paths; others get a name that does not exist. */
export interface OrgNames {
  set: string
  /** The generation that has the most changes. */
  generation: number
  request: string
  result: string
  /** A job of the remote. */
  job: string
  /** A user who sees little. */
  viewer: string
}

const long = ['x'.repeat(8000), 'a%20'.repeat(2000), '%25'.repeat(2600), '9'.repeat(8000)]
/** Values that some parameter accepts. */
const plausible = ['true', '1000', '366', '2', 'key_0', 'k', 'e u r o', 'config_entry', 'tariff', 'zzzz']

export function pathOf({ path }: Route, names: OrgNames, more: Record<string, string> = {}): string {
  const values: Record<string, string> = {
    ...{ type: 'config_set', key: names.set, set: names.set, id: names.result },
    ...{ component: names.set, generation: String(names.generation) },
    ...(path.includes('/change-requests/') ? { id: names.request } : {}),
    ...(path.includes('/remotes/') ? { key: farKey, id: names.job } : {}),
    ...more,
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, place: string) => values[place] ?? 'none')
}

export function worstAddresses(route: Route, names: OrgNames): WorstAddress[] {
  const path = pathOf(route, names)
  const addresses: WorstAddress[] = [
    // The default format of a file is among its formats.
    ...(route.media !== undefined && 'format' in queryOf(route) ? [] : [{ kind: 'no query', path }]),
    { kind: `as ${names.viewer}`, path, headers: { 'x-view-as': names.viewer } },
  ]
  if (path.includes('config_set'))
    addresses.push({ kind: 'of a value set', path: pathOf(route, names, { type: 'value_set', key: 'currency' }) })
  for (const [name, schema] of Object.entries(queryOf(route))) {
    // A file is read completely each time, so its formats are enough.
    if (route.media !== undefined && schema.enum === undefined) continue
    const known = schema.enum ?? plausibleFor(name, names)
    for (const value of known.slice(0, 5))
      addresses.push({ kind: `${name}=${value}`, path: `${path}?${name}=${encodeURIComponent(value)}` })
    for (const text of long) addresses.push({ kind: `a long ${name}`, path: `${path}?${name}=${text}` })
  }
  return addresses
}

function plausibleFor(name: string, { set, generation, viewer }: OrgNames): string[] {
  const known: Record<string, string[]> = {
    limit: ['1000', '10000'],
    days: ['366'],
    generation: [String(generation), String(generation - 1)],
    before: [String(generation)],
    set: [set],
    key: ['key_000000', 'kez_000000'],
    q: ['key_0', 'k', 'e u r o', 'zzzz'],
    search: ['key_0', 'zzzz zzzz'],
    ids: [Array.from({ length: 500 }, (_, at) => `config_entry/${set}.k${at}`).join(',')],
    component: [`config_set/${set}`],
    user: [viewer],
    since: ['2020-01-01'],
    member: ['EUR'],
    app: ['billing'],
  }
  return known[name] ?? plausible.slice(0, 2)
}

function queryOf(route: Route): Record<string, { enum?: string[] }> {
  if (route.query === undefined) return {}
  const schema = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { enum?: string[] }>
  }
  return schema.properties ?? {}
}
