// The OpenAPI document: valid by the standard's own schema, and the same surface as the router (completions 5).
import { validate } from '@readme/openapi-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { componentTypes } from '../../server/kernel/components/component.ts'
import { routes } from '../../server/http/routes/index.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

interface Operation {
  operationId: string
  responses: Record<string, unknown>
  security?: unknown[]
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
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

  it('names each operation once', () => {
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
    // It is served; who nobody knows is told so, and only where the document asks for somebody known.
    expect([404, 405]).not.toContain(status)
    expect(status === 401 && route.name !== 'issueToken').toBe(route.access === 'signed_in')
    expect(document.paths[route.path]![route.method]!.security).toEqual(
      route.access === 'public' ? [] : undefined,
    )
  })

  it('has a schema for every component type, from the rooms', () => {
    for (const type of componentTypes) expect(document.components.schemas).toHaveProperty(`Component_${type}`)
  })

  it('refers to nothing that it lacks', () => {
    const wanted = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name!,
    )
    expect(wanted.length).toBeGreaterThan(50)
    for (const name of new Set(wanted)) expect(document.components.schemas, name).toHaveProperty(name)
  })

  it('gives every failure the one envelope', () => {
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
