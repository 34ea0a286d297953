// Bodies that are JSON but not components: each is a finding or a refusal with a place, never an internal error.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

/** The studio's own `fetch` would serialise the body again; here every byte counts. */
async function send(path: string, text: string) {
  const response = await fetch(`${test.url}${path}`, {
    method: 'POST',
    headers: { cookie: test.cookie, origin: test.url, 'content-type': 'application/json' },
    body: text,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const validate = async (components: string) => {
  const { status, body } = await send('/metadata/v3/validate', `{"components":[${components}]}`)
  expect(status).toBe(200)
  return (body['findings'] as { code: string; path: string }[]).map(({ code, path }) => `${code} ${path}`)
}

const set = (label: string, more = ''): string =>
  `{"type":"value_set","key":"a","label":${label},"body":{"values":[]}${more}}`

describe('hostile components', () => {
  it.each<[string, string, string]>([
    ['half of a character', set('"\\ud800"'), 'body.format /label'],
    ['a property that names a prototype', set('"A"', ',"__proto__":1'), 'body.unknown_property /__proto__'],
  ])('%s is a finding', async (_, component, expected) => {
    expect(await validate(component)).toEqual([expected])
    const applied = await send('/metadata/v3/apply', `{"components":[${component}]}`)
    expect(applied.body['code']).toBe('deploy.invalid')
  })

  it('a property that is written twice is refused with its place', async () => {
    const { status, body } = await send(
      '/metadata/v3/validate',
      `{"components":[${set('"A"', ',"label":"B"')}]}`,
    )
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    expect(body['details']).toMatchObject([{ in: 'body', path: '/components/0/label' }])
  })

  it('endless nesting is refused with its place', async () => {
    const deep = set('"A"', `,"x":${'['.repeat(8000)}${']'.repeat(8000)}`)
    const { status, body } = await send('/metadata/v3/validate', `{"components":[${deep}]}`)
    expect([status, body['code']]).toEqual([400, 'request.malformed'])
    expect(body['details']).toMatchObject([{ in: 'body', path: '/components/0/x' }])
  })

  it('half of a character in an input is refused', async () => {
    const inputs = '{"t":{"type":"text","value":"\\ud800"}}'
    const { status, body } = await send('/setup/v3/evaluate', `{"expression":"t","inputs":${inputs}}`)
    expect([status, body['code']]).toEqual([422, 'request.invalid'])
  })

  it('half of a character elsewhere is ignored', async () => {
    const { status } = await send(
      '/metadata/v3/apply',
      `{"components":[${set('"A"')}],"rationale":"\\ud800"}`,
    )
    expect(status).toBeLessThan(500)
  })
})
