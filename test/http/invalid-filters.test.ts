// A filter with an error is refused at every door that takes one, and the error is that of its expression.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const filters = [
  ['a function that does not exist', 'invented(1) == 2', 'invented'],
  ['it in a part of a condition', 'net > invented("a") || present(number)', 'invented'],
  ['a list of its results', 'number in [invented("a")]', 'invented'],
  ['a text test with it', 'number.startsWith(invented("a"))', 'invented'],
  ['configuration that does not exist', 'net > config.nothing("a").rate', 'nothing'],
  ['the wrong type', 'net > "a"', 'number'],
] as const

let test: TestServer
let ada: Ask
beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  const operator = {
    ...{ type: 'permission_set', key: 'operator', label: 'Operator' },
    body: { systemPermissions: ['operations.manage'] },
  }
  await apply(test.studio, [operator])
  ;({ ada } = (await signIn(test, [{ key: 'ada', permissionSets: ['clerk', 'operator'] }])) as { ada: Ask })
})
afterAll(() => test.close())

const listView = (filter: string): object => ({
  ...{ type: 'list_view', key: 'some', label: 'Some' },
  body: { object: 'invoice', columns: ['number'], filter },
})

describe.each(filters)('a filter with %s', (_, filter, named) => {
  it.each([
    ['a query', () => ada('POST', '/data/v3/query', { object: 'invoice', fields: ['number'], filter })],
    ['a job', () => ada('POST', '/setup/v3/jobs', { kind: 'recompute', object: 'invoice', filter })],
  ])('is refused by %s', async (__, ask) => {
    const { status, body } = await ask()
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'expression.invalid' } })
    expect(JSON.stringify(body)).toContain(named)
  })

  it('is a finding in a list view', async () => {
    const { status, body } = await test.studio<{ findings: { code: string; message: string }[] }>(
      'POST',
      '/metadata/v3/plan',
      { components: [listView(filter)] },
    )
    expect(status).toBe(200)
    const errors = body.findings.filter(({ code }) => code.startsWith('expr.'))
    expect(errors.map(({ message }) => message).join(' ')).toContain(named)
  })
})
