// How two threads share the files of a directory: each takes the next block of files until none is left.

/** Files per block: few enough that both threads finish at about the same time. */
const blockSize = 200

const [next, done, fileCount] = [0, 1, 2] as const

export class DirectoryBlocks {
  readonly shared: SharedArrayBuffer
  readonly #state: Int32Array

  /** @param shared that of the other thread */
  constructor(shared: SharedArrayBuffer) {
    this.shared = shared
    this.#state = new Int32Array(shared)
  }

  static of(files: number): DirectoryBlocks {
    const blocks = new DirectoryBlocks(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
    blocks.#state[fileCount] = files
    return blocks
  }

  get count(): number {
    return Math.ceil(this.#state[fileCount]! / blockSize)
  }

  /** The number of a block that nobody has taken; null if none is left. */
  take(): number | null {
    const block = Atomics.add(this.#state, next, 1)
    return block < this.count ? block : null
  }

  filesOf(block: number, paths: readonly string[]): string[] {
    return paths.slice(block * blockSize, (block + 1) * blockSize)
  }

  /** The number of blocks that the other thread has sent. */
  get sent(): number {
    return Atomics.load(this.#state, done)
  }

  markSent(): void {
    Atomics.add(this.#state, done, 1)
    Atomics.notify(this.#state, done)
  }

  /** Waits until the other thread has sent more than `known` blocks. Returns whether it has. */
  waitForMore(known: number, maxMs: number): boolean {
    return Atomics.wait(this.#state, done, known, maxMs) !== 'timed-out'
  }
}
