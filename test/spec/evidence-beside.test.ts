// Evidence made by a server's worker is the same as evidence made in this thread.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '#kernel/evidence/index.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { everything, rate } from '../support/small-org.ts'

const dir = mkdtempSync(join(tmpdir(), 'almanac-evidence-'))
const by = { actor: 'admin', correlationId: 't' }
const price = { expression: 'config.vat_rate("DE").rate', asOf: '2020-08-01', store: 'A rate' }
let here: OpenedOrg
let beside: OpenedOrg
let resultId: string

const apply = (components: readonly object[]) =>
  here.apply({ source: { kind: 'components', components }, actor: 'admin', isOperator: true })

beforeAll(async () => {
  here = initOrg(dir, { name: 'Evidence', environment: 'test' })
  await apply(everything)
  resultId = (await enginesOf(here).evaluation.evaluate(by, price)).resultId!
  // The generation that it binds is no longer the active one.
  await apply([rate('de_2020', 'DE', '2020-07-01', '2021-01-01', '0.17')])
  beside = openOrg(dir, { worker: true })
})
afterAll(async () => {
  await beside.close()
  await here.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Whether anything else ran before the work was done. */
async function turns(work: () => Promise<unknown>): Promise<boolean> {
  let turned = false
  setImmediate(() => (turned = true))
  await work()
  return turned
}

describe('evidence made by the worker', () => {
  it('is byte for byte the same as the evidence made here, and verifies', async () => {
    const made = await enginesOf(beside).evaluation.evidence(by, resultId)
    expect(made).toBe(await enginesOf(here).evaluation.evidence(by, resultId))
    expect(verifyBundle(made)).toMatchObject({ ok: true, value: '"0.16"' })
  })

  it('contains no digest of changes of a generation that changed other sets too', async () => {
    const { evaluation } = enginesOf(here)
    const digestIn = async (id: string): Promise<unknown> =>
      (JSON.parse(await evaluation.evidence(by, id)) as { generation: { changeDigest: unknown } }).generation
        .changeDigest
    expect(await digestIn(resultId)).toBe(null)
    const now = await evaluation.evaluate(by, { ...price, store: 'A later rate' })
    expect(await digestIn(now.resultId!)).toMatch(/^jcs1:/)
  })

  it("does not block the readers' thread", async () => {
    expect(await turns(() => enginesOf(here).evaluation.evidence(by, resultId))).toBe(false)
    expect(await turns(() => enginesOf(beside).evaluation.evidence(by, resultId))).toBe(true)
  })

  it('is refused with the same message', async () => {
    const result = enginesOf(here).evaluation.result(by, resultId)
    const missing = { ...result, binding: { ...result.binding, generation: 99 } }
    const other = { ...result, value: '"0.5"' }
    for (const wrong of [missing, other]) {
      const [mine, theirs] = await Promise.all(
        [here, beside].map((org) =>
          org.buildEvidence(wrong).then(
            () => null,
            (error: Error & { code?: string }) => [error.code, error.message],
          ),
        ),
      )
      expect(mine).not.toBeNull()
      expect(theirs).toEqual(mine)
    }
  })

  it('archives the generation, then releases it', async () => {
    const { evidence } = await enginesOf(beside).evaluation.archive(by, resultId)
    expect(verifyBundle(evidence)).toMatchObject({ ok: true })
    expect(enginesOf(here).evaluation.result(by, resultId).state).toBe('archived')
  })
})
