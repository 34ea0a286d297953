import { EventEmitter } from 'node:events'
import type { Response } from 'express'
import { describe, expect, it } from 'vitest'
import { writePieces } from './write-pieces.ts'

describe('writePieces', () => {
  it('gives others a turn even if its reader takes all pieces at once', async () => {
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      write: () => {
        process.nextTick(() => response.emit('drain'))
        return false
      },
      end: () => undefined,
      destroy: () => undefined,
    })
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    const pieces = function* (): Iterable<string> {
      for (let count = 0; count < 20; count += 1) {
        for (const started = performance.now(); performance.now() - started < 3;);
        yield 'x'
      }
    }
    await writePieces(response as unknown as Response, pieces())
    clearInterval(counting)
    expect(turns).toBeGreaterThan(2)
  })
})
