// Runs costly work a few at a time: work is refused while the queue is full, so that requests cannot fill the memory.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export class ConcurrencyLimiter {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #atOnce: number
  readonly #mostWaiting: number

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** @throws AlmanacError auth.throttled if the queue is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new AlmanacError(
        'auth.throttled',
        'Too many users are signing in at the same time. Try again in a second.',
        {
          retryAfter: 1,
        },
      )
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
