// An answer that is written as it is made, no faster than it is taken.
import type { Response } from 'express'

/** Ends the response; where making a piece fails, it is cut off, so that nobody takes a part for the whole. */
export async function writePieces(
  response: Response,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      if (!response.write(piece)) await drained(response)
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
