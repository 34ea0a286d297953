// A read that never overlaps itself: any calls while it runs share one more read after it.

export function createSharedRead(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isRequested = false

  async function readUntilCurrent(): Promise<void> {
    do {
      isRequested = false
      await read()
    } while (isRequested)
  }

  return () => {
    if (running !== null) {
      isRequested = true
      return running
    }
    running = readUntilCurrent().finally(() => (running = null))
    return running
  }
}
