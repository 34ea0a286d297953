// Two processes that apply to one org at the same time wait for each other, and every generation is complete.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkWhole } from './check-whole.ts'
import { applyAll } from './child.ts'
import { makeOrg } from './sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-two-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('two processes that apply at the same time take turns', async () => {
  await makeOrg(folder)
  const applies = 25
  const acknowledged = await Promise.all([applyAll(folder, 1000, applies), applyAll(folder, 5000, applies)])
  expect(acknowledged.map((each) => each.length)).toEqual([applies, applies])
  const generations = acknowledged.flat().sort((a, b) => a - b)
  expect(generations).toEqual(Array.from({ length: 2 * applies }, (_, index) => index + 3))
  expect(checkWhole(folder)).toMatchObject({ faults: [], generation: 2 + 2 * applies })
})
