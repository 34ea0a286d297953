// A list of findings that is truncated contains the total number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

const many = 1234
const components = Array.from({ length: many }, (_, at) => ({
  type: 'calc_function',
  key: `f${at}`,
  label: 'F',
  body: { params: [], returns: 'number', expression: 'absent' },
}))

describe('more findings than fit in a response', () => {
  it.each([
    ['plan', 'findingsTotal'],
    ['validate', 'total'],
  ])('are counted by %s', async (verb, name) => {
    const { body } = await test.studio<Record<string, unknown> & { findings: unknown[] }>(
      'POST',
      `/metadata/v3/${verb}`,
      { components },
    )
    expect(body.findings).toHaveLength(1000)
    expect(body[name]).toBe(many)
  })

  it('are counted in the message of a refused apply', async () => {
    const { status, body } = await test.studio<{ detail: string }>('POST', '/metadata/v3/apply', {
      components,
    })
    expect(status).toBe(422)
    expect(body.detail).toContain(`And ${many - 1} more`)
  })
})
