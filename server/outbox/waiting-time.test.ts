import { describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { outboxProblem } from './outbox-problem.ts'
import { waitAgain } from './waiting-time.ts'

const start = '2027-01-01T00:00:00.000Z'
const after = (hours: number): string => new Date(Date.parse(start) + hours * 3_600_000).toISOString()
const error = (code: ErrorCode): AlmanacError => new AlmanacError(code, 'No token.')
const waiting = (code: ErrorCode, since?: string) => ({ ...outboxProblem(error(code)), since })

describe('waitAgain', () => {
  it('begins with the first time, and ends after a day with the reason', () => {
    const unavailable = error('integration.token_unavailable')
    expect(waitAgain(unavailable, null, start)).toEqual({ since: start })
    const before = waiting('integration.token_unavailable', start)
    expect(waitAgain(unavailable, before, after(23.9))).toEqual({ since: start })
    expect(waitAgain(unavailable, before, after(24))).toMatchObject({
      end: { code: 'integration.token_unavailable', message: 'No token. The call waited for 24 hours.' },
    })
  })

  it('has no limit for a breaker and a budget, and goes on counting after them', () => {
    for (const code of ['integration.breaker_open', 'limit.callout_budget'] as const) {
      expect(waitAgain(error(code), waiting(code), after(1000))).toEqual({ since: null })
      const before = waiting('integration.token_unavailable', start)
      expect(waitAgain(error(code), before, after(30))).toEqual({ since: start })
    }
  })
})
