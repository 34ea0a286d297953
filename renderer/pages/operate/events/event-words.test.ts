// Gaps, lags and moves in words.
import { expect, it } from 'vitest'
import type { EventGap } from '../../../api/events.ts'
import { gapWords, lagWords, replayWords } from './event-words.ts'

const gap = (reason: EventGap['reason'], asked: string, resumesAfter: string): EventGap => ({
  ...{ reason, partitions: [{ partition: 2, asked, resumesAfter }] },
})

it('a gap is shown with its events and its reason', () => {
  const [one, several] = [
    { partitions: 1, retentionDays: 7 },
    { partitions: 4, retentionDays: 1 },
  ]
  expect(gapWords(gap('retention', '0', '204'), one)).toEqual(['Events 1–204 were removed after 7 days.'])
  expect(gapWords(gap('retention', '41206', '41207'), several)).toEqual([
    'Partition 2: event 41,207 was removed after 1 day.',
  ])
  expect(gapWords(gap('ahead', '9', '0'), one)).toEqual([
    'No event has the number 10 yet: the channel has no event.',
  ])
  expect(gapWords(gap('restored', '12', '7'), one)).toEqual([
    'The org was restored from an older copy, which ends before events 8–12.',
  ])
})

it('a lag has its events and its age', () => {
  const now = Date.parse('2026-11-30T12:00:00Z')
  expect(lagWords(null, null, now)).toBe('–')
  expect(lagWords(0, null, now)).toBe('none')
  expect(lagWords(1, '2026-11-30T11:59:50.7Z', now)).toBe('1 event, for 9 s')
  expect(lagWords(6, '2026-11-30T09:55:00Z', now)).toBe('6 events, for 2 h 5 min')
})

it('a move shows what it repeats and what it skips', () => {
  expect(replayWords({ repeated: 1, skipped: 0 })).toBe('1 event will be delivered again.')
  expect(replayWords({ repeated: 5, skipped: 2 })).toBe(
    '5 events will be delivered again and 2 will be skipped.',
  )
  expect(replayWords({ repeated: 0, skipped: 40 })).toBe('40 events will be skipped.')
  expect(replayWords({ repeated: 0, skipped: 0 })).toMatch(/nothing is repeated/)
})
