// Lists that come one after another and belong to one call of a worker, which begins with the first one.

/** The list after others of a call; null after the last one. */
export interface NextList<L> {
  call: number
  list: L | null
}

let calls = 0

/**
 * Sends lists as they come, until the call has a result.
 * @param begin calls the worker, which begins with the call
 * @param sendNext adds a list to it
 */
export async function sendLists<L, R>(
  lists: AsyncIterable<L>,
  begin: (call: number) => Promise<R>,
  sendNext: (next: NextList<L>) => Promise<unknown>,
): Promise<R> {
  const call = (calls += 1)
  let isOver = false
  const result = begin(call).finally(() => (isOver = true))
  // What fails is the call.
  const send = (list: L | null): void => void sendNext({ call, list }).catch(() => undefined)
  const sending = (async () => {
    for await (const list of lists) {
      if (isOver) return
      send(list)
    }
    send(null)
  })()
  await Promise.all([result, sending])
  return result
}

export interface ReceivedLists<L, R> {
  /** @param letNextBegin lets the lists come */
  begin(call: number, letNextBegin: () => void): Promise<R>
  next(next: NextList<L>): Promise<void>
}

/** The side of the worker. */
export function receivedLists<L, R>(run: (lists: AsyncIterable<L>) => Promise<R>): ReceivedLists<L, R> {
  const open = new Map<number, Lists<L>>()
  return {
    begin: async (call, letNextBegin) => {
      const lists = new Lists<L>()
      open.set(call, lists)
      letNextBegin()
      try {
        return await run(lists)
      } finally {
        open.delete(call)
      }
    },
    // A call that has failed takes no more.
    next: async ({ call, list }) => open.get(call)?.add(list),
  }
}

export async function* eachOf<A, B>(lists: AsyncIterable<A>, change: (list: A) => B): AsyncIterable<B> {
  for await (const list of lists) yield change(list)
}

class Lists<L> implements AsyncIterable<L> {
  readonly #waiting: (L | null)[] = []
  #wake = (): void => undefined

  add(list: L | null): void {
    this.#waiting.push(list)
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<L> {
    for (;;) {
      while (this.#waiting.length === 0) await new Promise<void>((wake) => (this.#wake = wake))
      const list = this.#waiting.shift()!
      if (list === null) return
      yield list
    }
  }
}
