// Writes a response while it is created, no faster than the client reads it.
import type { Response } from 'express'

/** Milliseconds of work on one response before others get a turn. */
const turnMs = 5

export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** Ends the response; if a piece fails, cuts it off, so a part is never mistaken for the whole. */
export async function writePieces(response: Response, pieces: Pieces): Promise<void> {
  try {
    let turned = performance.now()
    for await (const piece of pieces) {
      if (response.destroyed) return
      // A fast reader drains at once, in the same turn.
      if (!response.write(piece)) await waitForDrain(response)
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

function waitForDrain(response: NodeJS.EventEmitter): Promise<void> {
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
