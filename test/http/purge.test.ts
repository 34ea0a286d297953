// Old content is purged only on request, and never if a stored result needs it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { greeting, greetings } from '../support/small-org.ts'

let test: TestServer
const purge = (before: number) => test.studio('POST', '/setup/v3/purge', { before })
const apply = async (components: unknown[]) =>
  expect((await test.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
const label = (words: string) => ({ ...greeting, label: words })

beforeAll(async () => {
  test = await runningServer()
  await apply([greeting, ...greetings])
  await test.studio('POST', '/setup/v3/evaluate', { expression: 'config.greeting.words', store: 'Bound' })
  await apply([label('Another')])
})
afterAll(() => test.close())

it('a purge is refused if a result binds a generation, and if the generation does not exist', async () => {
  expect(await purge(3)).toMatchObject({ status: 409, body: { code: 'deploy.history_bound' } })
  expect(await purge(99)).toMatchObject({ status: 404, body: { code: 'generation.not_found' } })
})

it('a purge deletes what is older, and is in the audit', async () => {
  expect(await purge(2)).toMatchObject({ status: 200, body: { generations: 1 } })
  const gone = await test.studio('POST', '/metadata/v3/rollback', { generation: 1 })
  expect(gone).toMatchObject({ status: 404, body: { code: 'generation.not_found' } })
  const { body } = await test.studio<{ rows: object[] }>('GET', '/metadata/v3/audit?limit=1')
  expect(body.rows).toMatchObject([{ kind: 'generations.purged', after: { before: 2, generations: 1 } }])
})
