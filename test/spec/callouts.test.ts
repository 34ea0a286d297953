// Each call of the table, in an operation and in the outbox.
import { describe, expect, it } from 'vitest'
import { runOperation, runOutbox } from './callout-ground.ts'
import { calloutCases } from './callouts.table.ts'

const operations = calloutCases.filter(({ operation }) => operation !== undefined)
const outbox = calloutCases.filter((each) => each.outbox !== undefined)

describe('calls of an operation', () => {
  it.each(operations)('$name', async (test) => {
    expect(await runOperation(test)).toEqual(test.operation)
  })
})

describe('calls of the outbox', () => {
  it.each(outbox)('$name', async (test) => {
    expect(await runOutbox(test)).toEqual(test.outbox)
  })
})
