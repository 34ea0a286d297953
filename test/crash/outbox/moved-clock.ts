// A clock that the test moves on while processes are stopped: the number of milliseconds is in a file that all read.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class MovedClock {
  readonly #file: string

  /** @param folder in which the file is */
  constructor(folder: string) {
    this.#file = join(folder, 'moved-by')
  }

  movedBy(): number {
    return Number(readFileSync(this.#file, 'utf8'))
  }

  /** @returns milliseconds since 1970 */
  now(): number {
    return Date.now() + this.movedBy()
  }

  set(ms: number): void {
    writeFileSync(`${this.#file}.new`, String(ms))
    renameSync(`${this.#file}.new`, this.#file)
  }
}
