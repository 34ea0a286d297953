// A draft has a key that a component can have, on every route.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { readers } from '../support/small-org.ts'

let test: TestServer

beforeAll(async () => {
  test = await runningServer()
  expect((await test.studio('POST', '/metadata/v3/apply', { components: [readers] })).status).toBe(200)
})
afterAll(() => test.close())

const refused = expect.objectContaining({
  status: 422,
  body: expect.objectContaining({ code: 'request.invalid' }) as unknown,
})

describe.each(['Bad Key!', '../..', 'a\0b', 'Readers', '1a', 'a'.repeat(81), 'a.b'])('%j', (key) => {
  it('cannot be the new key of a component', async () => {
    const answer = await test.studio<{ detail: string }>('POST', '/metadata/v3/rename', {
      type: 'permission_set',
      from: 'readers',
      to: key,
    })
    expect(answer).toEqual(refused)
    expect(answer.body.detail).toContain(key.length > 80 ? '81 characters' : key)
  })

  it('cannot be the key of a draft', async () => {
    const path = `/setup/v3/drafts/permission_set/${encodeURIComponent(key)}`
    expect(await test.studio('PUT', path, { text: '{}', version: 0 })).toEqual(refused)
    const id = `permission_set/${key}`
    const batch = { drafts: [{ id, text: '{}', version: 0 }] }
    expect(await test.studio('PUT', '/setup/v3/drafts', batch)).toEqual(refused)
  })
})

it('an empty key is refused for every type', async () => {
  const sent = { type: 'permission_set', from: 'readers', to: '' }
  expect(await test.studio('POST', '/metadata/v3/rename', sent)).toEqual(refused)
  const { body } = await test.studio<{ drafts: unknown[] }>('GET', '/setup/v3/drafts')
  expect(body.drafts).toEqual([])
})
