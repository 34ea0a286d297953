// A machine's clock that is set back revives nothing: sign-ins, tokens, flags.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { checkFolder } from '../../server/compose/check.ts'
import type { Clock } from '../../server/ports/clock.ts'
import { orgClock } from '../../server/system/index.ts'
import { MemoryOrgStore } from '../support/memory-org-store.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }
const hour = 3_600_000
let dir: string
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'almanac-clock-'))))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A machine's clock that is set by hand. */
function handClock(start: number): Clock & { time: number } {
  return {
    time: start,
    now() {
      return new Date(this.time).toISOString()
    },
    today() {
      return this.now().slice(0, 10)
    },
  }
}

describe('a clock that is set back', () => {
  it('revives no sign-in and no token, in this process and after a restart', async () => {
    await initOrg(dir, { name: 'Clock', environment: 'test' }).close()
    const clock = handClock(Date.now() + hour)
    const org = openOrg(dir, { clock })
    const { access } = enginesOf(org)
    const session = await access.openSession(by, 'Firefox')
    expect(access.findActiveSignIn('session', session.secret)).not.toBeNull()
    clock.time += 30 * hour
    expect(access.findActiveSignIn('session', session.secret)).toBeNull()
    clock.time -= 30 * hour
    expect(access.findActiveSignIn('session', session.secret)).toBeNull()
    // Any write stores the latest time.
    clock.time += 30 * hour
    await org.write(() => undefined)
    await org.close()
    clock.time -= 30 * hour
    const again = openOrg(dir, { clock })
    expect(enginesOf(again).access.findActiveSignIn('session', session.secret)).toBeNull()
    expect(again.clock.today()).toBe(new Date(clock.time + 30 * hour).toISOString().slice(0, 10))
    await again.close()
    expect(checkFolder(dir).findings).toMatchObject([{ code: 'integrity.clock', severity: 'warning' }])
  })

  it('does not stop the time of the org, so a session can still expire', () => {
    let elapsed = 0
    const machine = handClock(Date.parse('2026-01-01T00:00:00Z'))
    const seen = '2026-06-01T00:00:00.000Z'
    const store = new MemoryOrgStore()
    store.write((transactor) => transactor.properties.recordTime(seen))
    const clock = orgClock({ machine, store, elapsed: () => elapsed })
    expect([clock.now(), clock.today()]).toEqual([seen, '2026-06-01'])
    elapsed = 36 * hour
    expect([clock.now(), clock.today()]).toEqual(['2026-06-02T12:00:00.000Z', '2026-06-02'])
    machine.time = Date.parse('2026-07-01T00:00:00Z')
    expect(clock.now()).toBe('2026-07-01T00:00:00.000Z')
  })

  it('would revive a session if the org followed the machine', async () => {
    await initOrg(dir, { name: 'Clock', environment: 'test' }).close()
    const clock = handClock(Date.now() + hour)
    const org = openOrg(dir, { clock })
    // Without the protection: an engine that uses the machine's clock.
    const { access } = enginesOf({ ...org, clock: Object.assign(clock, { timeAt: () => clock.time }) })
    const session = await access.openSession(by, 'Firefox')
    clock.time += 30 * hour
    expect(access.findActiveSignIn('session', session.secret)).toBeNull()
    clock.time -= 30 * hour
    expect(access.findActiveSignIn('session', session.secret)).not.toBeNull()
    await org.close()
  })
})
