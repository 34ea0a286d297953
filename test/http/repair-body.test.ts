// A repair names its findings by ids; an invalid id is a client error, never an internal error.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer

beforeAll(async () => {
  test = await runningServer()
})
afterAll(() => test.close())

it.each(['no id', '', 'vat_rate', 'config_entry', '/', 'nothing/x'])(
  'a component that is not an id is refused as such: %j',
  async (component) => {
    const { status, body } = await test.studio('POST', '/setup/v3/repair', {
      findings: { code: 'config.range_gap', component },
      choice: 'extend_earlier',
    })
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'request.malformed' })])
  },
)

it.each([
  [
    { findings: { code: 'nope' }, choice: 'extend_last' },
    /^Findings with the code "nope" cannot be repaired, only config\./,
  ],
  [
    { findings: { code: 'config.range_gap' }, choice: 'extend_last' },
    /^"extend_last" is not a repair of config\.range_gap; the repairs are extend_earlier/,
  ],
  [
    { findings: { code: 'config.range_end' }, choice: 'extend_last', value: '5' },
    /^"value" is for set_value; extend_last takes none\.$/,
  ],
])('a repair that no finding offers is named as on the command line: %j', async (request, detail) => {
  const { status, body } = await test.studio('POST', '/setup/v3/repair', request)
  expect([status, body['detail']]).toEqual([422, expect.stringMatching(detail)])
})
