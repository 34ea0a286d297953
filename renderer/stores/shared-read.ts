// A read that never overlaps itself: any calls while it runs share one more read after it.

export function createSharedRead(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isRequested = false

  async function readUntilCurrent(): Promise<void> {
    try {
      do {
        isRequested = false
        await read()
      } while (isRequested)
    } finally {
      // In the same step as the last check: a call after it starts a read of its own.
      running = null
    }
  }

  return () => {
    if (running !== null) {
      isRequested = true
      return running
    }
    running = readUntilCurrent()
    return running
  }
}
