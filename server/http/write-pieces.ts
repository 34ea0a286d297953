// An answer that is written as it is made, no faster than it is taken.
import type { Response } from 'express'

/** So long one answer is made before others have their turn. */
const turnMs = 5

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Ends the response; where making a piece fails, it is cut off, so that nobody takes a part for the whole. */
export async function writePieces(response: Response, pieces: Pieces): Promise<void> {
  try {
    let turned = performance.now()
    for await (const piece of pieces) {
      if (response.destroyed) return
      // A fast reader drains at once, within the same turn.
      if (!response.write(piece)) await drained(response)
      if (performance.now() - turned < turnMs) continue
      await new Promise((resolve) => setImmediate(resolve))
      turned = performance.now()
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}

function drained(response: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}
