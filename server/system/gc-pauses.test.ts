import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * In a process of its own, whose nursery has grown before: its usual size in megabytes while more is allocated. For a
 * moment it may be larger: V8 puts off a scavenge if a collection of everything is about to end.
 */
const script = `
import { getHeapSpaceStatistics } from 'node:v8'
const { limitGcPauses } = await import(process.argv[1])
const nursery = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space').space_size / 1024 / 1024
const usualSize = () => {
  const sizes = []
  let kept = []
  for (let at = 0; at < 3_000_000; at += 1) {
    kept.push({ at })
    if (kept.length > 200_000) kept = []
    if (at % 20_000 === 0) sizes.push(nursery())
  }
  return sizes.sort((a, b) => a - b)[sizes.length >> 1]
}
const before = usualSize()
limitGcPauses()
console.log(JSON.stringify({ before, after: usualSize(), gc: typeof gc }))
`

describe('the nursery of the thread of the readers', () => {
  it('is small again and stays small, if it has grown while the code was loaded', () => {
    const args = ['--input-type=module', '--eval', script, join(import.meta.dirname, 'gc-pauses.ts')]
    const { before, after, gc } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
      before: number
      after: number
      gc: string
    }
    expect(before).toBeGreaterThan(8)
    expect(after).toBeLessThanOrEqual(2)
    expect(gc).toBe('undefined')
  })
})
