// The OpenAPI document: valid by the standard's own schema, and the same routes as the router.
import { validate } from '@readme/openapi-parser'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { componentTypes } from '../../server/kernel/components/component.ts'
import { routes } from '../../server/http/routes/index.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

interface Operation {
  operationId: string
  parameters: { $ref?: string; name?: string; in?: string }[]
  responses: Record<
    string,
    { description: string; headers: Record<string, { $ref: string }>; content?: object }
  >
  security?: unknown[]
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  security: Record<string, unknown>[]
  components: {
    schemas: Record<string, unknown>
    headers: Record<string, unknown>
    parameters: Record<string, { name: string; in: string }>
    securitySchemes: Record<string, { type: string; in?: string; name?: string; scheme?: string }>
  }
}

let test: TestServer
let document: Document
beforeAll(async () => {
  test = await runningServer()
  document = (await test.plain<Document>('GET', '/openapi.json')).body
})
afterAll(() => test.close())

describe('/openapi.json', () => {
  it('is a valid document of OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    const result = await validate(structuredClone(document) as never)
    expect(result).toMatchObject({ valid: true })
  })

  it('has every route of the app and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(documented.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it('describes every header that a route reads', () => {
    const folder = new URL('../../server/http/routes/', import.meta.url)
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
    const undeclared = files.flatMap((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      const declared = [...text.matchAll(/requestHeaders: \[([^\]]*)\]/g)].map(([, list]) => list).join()
      const read = [...text.matchAll(/request\.get\('([^']+)'\)/g)].map(([, header]) => header!)
      return read
        .filter((header) => header !== 'User-Agent' && !declared.includes(`'${header}`))
        .map((header) => `${name}: ${header}`)
    })
    expect(undeclared).toEqual([])
    const { parameters } = document.paths['/data/v3/{object}/{id}']!['patch']!
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/RequiredIfMatch' })
  })

  it('has a unique operation id for each operation', () => {
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(
    Object.values(routes).map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const),
  )('describes %s as it is served', async (_, route) => {
    const path = route.path.replace('{type}', 'app').replaceAll(/\{\w+\}/g, '1')
    const { status } = await test.plain(
      route.method.toUpperCase(),
      path,
      route.body === undefined ? undefined : {},
    )
    // It is served; an unknown user is refused exactly if the document requires a known one.
    expect([404, 405]).not.toContain(status)
    expect(status === 401 && route.name !== 'issueToken').toBe(route.access === 'signed_in')
    expect(document.paths[route.path]![route.method]!.security).toEqual(
      route.access === 'public' ? [] : route.person === true ? [{ session: [] }, { person: [] }] : undefined,
    )
  })

  it('declares the cookies that the server accepts, by their names', async () => {
    const { securitySchemes: schemes } = document.components
    expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }, { session: [] }, { person: [] }])
    expect(schemes['session']).toMatchObject({ type: 'apiKey', in: 'cookie' })
    expect(test.cookie.startsWith(`${schemes['session']!.name}=`)).toBe(true)
    expect((await test.plain('GET', '/setup/v3/org', undefined, { cookie: test.cookie })).status).toBe(200)
    // Without a studio, it has no session.
    const headless = await runningServer({ studio: false })
    const { body } = await headless.plain<Document>('GET', '/openapi.json')
    await headless.close()
    expect(body.security).toEqual([{ bearer: [] }, { apiKey: [] }, { person: [] }])
    expect(await validate(structuredClone(body) as never)).toMatchObject({ valid: true })
  })

  it('describes the correlation id of each operation, in the request and in the response', async () => {
    expect(document.components.parameters['CorrelationId']).toMatchObject({
      name: 'X-Correlation-Id',
      in: 'header',
    })
    for (const methods of Object.values(document.paths))
      for (const { parameters, responses } of Object.values(methods)) {
        expect(parameters).toContainEqual({ $ref: '#/components/parameters/CorrelationId' })
        for (const { headers } of Object.values(responses))
          expect(headers['X-Correlation-Id']).toEqual({ $ref: '#/components/headers/CorrelationId' })
      }
    const { headers } = await test.plain('GET', '/healthz', undefined, { 'X-Correlation-Id': 'mine-1' })
    expect(headers.get('X-Correlation-Id')).toBe('mine-1')
  })

  it('describes that a read can be viewed as another user, but a write cannot', () => {
    const viewAs = { $ref: '#/components/parameters/ViewAs' }
    expect(document.paths['/setup/v3/org']!['get']!.parameters).toContainEqual(viewAs)
    expect(document.paths['/metadata/v3/apply']!['post']!.parameters).not.toContainEqual(viewAs)
  })

  it('has the errors of the token endpoint in their own standard', async () => {
    const { responses } = document.paths['/oauth2/token']!['post']!
    for (const status of ['400', '401', '429'])
      expect(responses[status]!.content).toHaveProperty(
        ['application/json', 'schema', '$ref'],
        '#/components/schemas/OAuthError',
      )
    expect(responses['429']!.headers).toHaveProperty('Retry-After')
  })

  it('describes Retry-After of each response that can carry it, and of no other', () => {
    const timed = ['auth.throttled', 'limit.busy', 'limit.concurrency', 'limit.rate', 'org.busy']
    timed.push('server.not_ready', 'storage.behind')
    const found = new Set<string>()
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const [status, { description, headers }] of Object.entries(responses)) {
          const isTimed = timed.some((code) => description.includes(`${code}: `))
          const refers = Object.hasOwn(headers, 'Retry-After')
          if (!description.includes('integration.refused'))
            expect(refers, `${method} ${path} ${status}: ${description}`).toBe(isTimed)
          if (refers) found.add(status)
        }
    expect([...found].sort()).toEqual(['409', '429', '502', '503'])
    const { responses } = document.paths['/data/v3/{object}']!['post']!
    for (const [status, codes] of [
      ['409', ['org.busy']],
      ['429', ['limit.busy', 'limit.rate']],
      ['503', ['server.not_ready', 'storage.behind']],
    ] as const) {
      expect(responses[status]!.headers).toHaveProperty('Retry-After')
      for (const code of codes) expect(responses[status]!.description).toContain(`${code}: `)
    }
  })

  it('lists the media types in which a set is exported', async () => {
    const content = document.paths['/setup/v3/sets/{set}/export']!['get']!.responses['200']!.content!
    const body = {
      cardinality: 'singleton',
      fields: [{ key: 'days', type: 'number', precision: 3, scale: 0 }],
      read: { administrator: 'read' },
    }
    const components = [{ type: 'config_set', key: 'terms', label: 'Terms', body }]
    expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
    const contentTypes = ['csv', 'xlsx', 'json'].map(async (format) => {
      const { status, headers } = await test.studio('GET', `/setup/v3/sets/terms/export?format=${format}`)
      expect(status).toBe(200)
      return headers.get('content-type')!.split(';')[0]!
    })
    expect(Object.keys(content)).toEqual(await Promise.all(contentTypes))
  })

  it('has a schema for every component type, from the rooms', () => {
    for (const type of componentTypes) expect(document.components.schemas).toHaveProperty(`Component_${type}`)
  })

  it('refers only to parts that it contains', () => {
    const schemaNames = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name!,
    )
    expect(schemaNames.length).toBeGreaterThan(50)
    for (const name of new Set(schemaNames)) expect(document.components.schemas, name).toHaveProperty(name)
  })

  it('uses the same envelope for every failure', () => {
    for (const methods of Object.values(document.paths))
      for (const { responses } of Object.values(methods))
        for (const [status, response] of Object.entries(responses))
          if (Number(status) >= 400)
            expect(response).toHaveProperty(
              ['content', 'application/problem+json', 'schema', '$ref'],
              '#/components/schemas/Problem',
            )
  })
})
