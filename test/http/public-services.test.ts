// Public descriptions through the pipeline: they are applied, and in any order of keys they are the same.
import { globSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dump, load } from 'js-yaml'
import { runningServer, type TestServer } from '../support/running-server.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- descriptions of any shape
type Any = any

const require = createRequire(import.meta.url)
const examples = dirname(require.resolve('@readme/oas-examples/package.json'))
const figma = join(dirname(require.resolve('@figma/rest-api-spec/package.json')), 'openapi/openapi.yaml')
const largest = globSync('3.*/json/*.json', { cwd: examples })
  .filter((file) => !/webhooks|title/.test(file))
  .map((file) => join(examples, file))
  .sort((a, b) => statSync(b).size - statSync(a).size || (a < b ? -1 : 1))
  .slice(0, 6)

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
  const { status } = await test.studio('POST', '/metadata/v3/apply', {
    components: [
      {
        ...{ type: 'external_credential', key: 'none', label: 'None' },
        body: {
          scheme: 'api_key',
          principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }],
        },
      },
      {
        ...{ type: 'named_credential', key: 'none', label: 'None' },
        body: { url: 'https://api.example.com', externalCredential: 'none', principal: 'service' },
      },
    ],
  })
  expect(status).toBe(200)
})
afterAll(() => test.close())

function reversed(value: Any): Any {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reversed(each)]),
  )
}

async function apply(key: string, source: string, operations?: string[]): Promise<Any> {
  const component = {
    ...{ type: 'external_service', key, label: key },
    body: {
      ...{ namedCredential: 'none', grantedTo: ['administrator'] },
      ...(operations === undefined ? {} : { operations }),
      spec: { format: 'openapi_3_1', source },
    },
  }
  const { body } = await test.studio<Any>('POST', '/metadata/v3/apply', { components: [component] })
  return body
}
const hashOf = async (key: string): Promise<string> => {
  const path = `/metadata/v3/components/external_service/${key}`
  return (await test.studio<Any>('GET', path)).body.component.body.spec.hash
}

describe('a public description', () => {
  it.each(largest.map((file, at) => [basename(file), `service_${at}`, file]))(
    '%s is applied, and again in another order or as YAML without drift',
    async (_, key, file) => {
      const text = readFileSync(file, 'utf8')
      expect((await apply(key, text)).detail).toBeUndefined()
      const hash = await hashOf(key)
      for (const other of [JSON.stringify(reversed(JSON.parse(text))), dump(JSON.parse(text))]) {
        const { detail, findings } = await apply(key, other)
        expect(detail).toBeUndefined()
        expect(findings.filter(({ code }: Any) => code !== 'service.untyped')).toEqual([])
        expect(await hashOf(key)).toBe(hash)
      }
    },
  )

  it('is pruned to the chosen operations, which are typed in the declarations and in OpenAPI', async () => {
    const text = readFileSync(figma, 'utf8')
    const all = Object.values((load(text) as Any).paths).flatMap((path: Any) =>
      Object.values(path).flatMap((operation: Any) => operation?.operationId ?? []),
    ) as string[]
    const chosen = all.slice(0, 50)
    expect((await apply('figma', text, chosen)).detail).toBeUndefined()
    const { body } = await test.studio<Any>('GET', '/setup/v3/services/figma')
    expect(body.operations.map(({ name }: Any) => name)).toEqual([...chosen].sort())
    const { body: document } = await test.studio<Any>('GET', '/openapi.json')
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([`/invoke/v3/figma.${chosen[0]}`]))
    const { text: types } = await test.studio('GET', '/metadata/v3/types')
    expect(types).toContain('export namespace FigmaService')
  })
})
