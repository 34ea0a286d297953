// SIGKILL while a change request applies: it is applied if its generation exists, and waits if it does not.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { faultPoints } from '../../server/pipeline/index.ts'
import { checkWhole } from './check-whole.ts'
import { killRequestAt } from './child.ts'
import { changesTo, makeOrg } from './sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-kill-request-'))
const dir = join(folder, 'org')
const operator = { actor: 'admin', correlationId: 'crash', isOperator: true }

beforeAll(async () => {
  await makeOrg(dir)
  await withEngines(async ({ access, requests }) => {
    await access.addUser(operator, { key: 'ben', name: 'Ben', permissionSets: ['administrator'] })
    await requests.setRequiredApprovals(operator, 1)
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function withEngines<T>(work: (engines: ReturnType<typeof enginesOf>) => Promise<T>): Promise<T> {
  const org = openOrg(dir)
  try {
    return await work(enginesOf(org))
  } finally {
    await org.close()
  }
}

describe('a change request whose apply is killed', () => {
  const committed = faultPoints.indexOf('activate')

  it.each(faultPoints)('at "%s" is applied together with its generation or not at all', async (stage) => {
    const before = checkWhole(dir)
    const components = changesTo(before.value + 1)
    const { id } = await withEngines(async ({ requests }) => {
      const made = await requests.create(operator, { source: { kind: 'components', components } })
      const { id: request, digest } = made.request
      return requests.approve({ actor: 'ben', correlationId: 'crash' }, request, { digest })
    })
    expect((await killRequestAt(dir, id, stage)).reached).toBe(true)
    const after = checkWhole(dir)
    const { state, generation } = await withEngines(({ requests }) => requests.get(operator, id))
    const isNew = faultPoints.indexOf(stage) >= committed
    expect(after.faults).toEqual([])
    expect([after.generation - before.generation, state, generation]).toEqual(
      isNew ? [1, 'applied', after.generation] : [0, 'approved', null],
    )
    if (!isNew)
      await withEngines(({ requests }) => requests.withdraw(operator, id, 'The next stage makes its own.'))
  })
})
