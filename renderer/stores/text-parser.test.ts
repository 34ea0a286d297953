import { describe, expect, it } from 'vitest'
import { createTextParser } from './text-parser.ts'

describe('the text of a form', () => {
  it('keeps the last state that could be read while it is being typed', () => {
    const reading = createTextParser()
    reading.now('{"label": "Money"}')
    reading.now('{"label": "Money')
    expect([reading.value.value, reading.unreadable.value]).toEqual([{ label: 'Money' }, false])
  })

  it('is unreadable if it was never valid, although another text could be read', () => {
    const reading = createTextParser()
    reading.now('{"label": "Active"}')
    reading.beginText()
    reading.now('{"label": "Draf')
    expect(reading.unreadable.value).toBe(true)
    reading.now('{"label": "Draft"}')
    expect([reading.value.value, reading.unreadable.value]).toEqual([{ label: 'Draft' }, false])
    reading.now('{"label": "Draft')
    expect(reading.unreadable.value).toBe(false)
  })
})
