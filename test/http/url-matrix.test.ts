// Each route, at its declared path: what is misspelt in the query is refused by name, and an empty parameter of the path
// leads to no other route.
import type { z } from 'zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../server/http/routes/index.ts'
import type { Route } from '../../server/http/route.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

/** Values of parameters, of which each parameter accepts one. */
const values = ['1', 'invoice', 'config_set', '01890a5d-ac96-774b-bcce-b302099a8057', 'config_set/vat']

/** Routes of other standards, which define what becomes of unknown parameters. */
const isForeign = ({ foreignErrorFormat, name }: Route): boolean =>
  // An authorisation server can add parameters to its response (RFC 6749, 4.1.2).
  foreignErrorFormat !== undefined || name === 'finishConsent'

/** The path of a route with plausible parameters; one of them can be given. */
function pathOf({ path, params }: Route, given: Record<string, string> = {}): string {
  const shape = (params as z.ZodObject | undefined)?.shape ?? {}
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = given[name] ?? values.find((text) => (shape[name] as z.ZodType).safeParse(text).success)!
    return value === '' ? '' : encodeURIComponent(value)
  })
}

const titleOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`

it.each(routes.filter((route) => !isForeign(route)).map((route) => [titleOf(route), route] as const))(
  '%s refuses an unknown query parameter and names it',
  async (_title, route) => {
    const { status, body } = await test.studio(route.method.toUpperCase(), `${pathOf(route)}?surplus=1`)
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    const details = body['details'] as { in: string; path: string }[]
    expect(details).toContainEqual(expect.objectContaining({ in: 'query', path: '/surplus' }))
  },
)

const withParameters = routes.flatMap((route) =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [titleOf(route), name!, route] as const),
)
it.each(withParameters)('%s does not exist with an empty %s', async (_title, name, route) => {
  const { status, text } = await test.studio(route.method.toUpperCase(), pathOf(route, { [name]: '' }))
  expect([status, text.includes('route.not_found')]).toEqual([404, true])
})
