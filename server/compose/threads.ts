// Starts the threads of the workers, and ends them. A thread serves one server at a time: it loads the code, opens the
// org, answers, closes the org again, and is then free for the next server.
import { Worker, type ResourceLimits } from 'node:worker_threads'
import { threadEnv } from '../system/index.ts'

export interface ThreadOptions {
  file: URL
  resourceLimits: ResourceLimits
  /** What the thread opens; cloned. */
  data: unknown
}

export interface Threads {
  /** A thread that opens `data`. It does not keep the process alive, unless `ref` is called. */
  start(options: ThreadOptions): Worker
  /** Ends a thread at once, even during a call. */
  end(thread: Worker): Promise<void>
  /** Takes back a thread that runs no call; resolves once it has closed what it had opened. */
  release(thread: Worker): Promise<void>
}

/** The first and the last message that a thread receives for one server. */
export type ThreadMessage = { kind: 'open'; data: unknown } | { kind: 'close' }
/** A thread's response to `close`. */
export const closedMessage = { kind: 'closed' } as const

function startThread({ file, resourceLimits, data }: ThreadOptions): Worker {
  const thread = new Worker(file, { resourceLimits, env: threadEnv() })
  thread.unref()
  thread.postMessage({ kind: 'open', data } satisfies ThreadMessage)
  return thread
}

const maxCloseMs = 10_000

/** Whether the thread has closed everything, instead of ending or hanging. Nobody else listens to it any more. */
function closeThread(thread: Worker): Promise<boolean> {
  stopListening(thread)
  return new Promise((done) => {
    // Otherwise a process that only waits for this would exit first.
    thread.ref()
    thread.on('message', ({ kind }: { kind?: string }) => {
      if (kind === closedMessage.kind) done(true)
    })
    thread.on('error', () => done(false))
    thread.on('exit', () => done(false))
    setTimeout(() => done(false), maxCloseMs).unref()
    thread.postMessage({ kind: 'close' } satisfies ThreadMessage)
  })
}

/** Only these: a worker also has listeners of its own. */
function stopListening(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
}

/** A new thread for each start. */
export const newThreads: Threads = {
  start: startThread,
  end: async (thread) => void (await thread.terminate()),
  release: async (thread) => {
    await closeThread(thread)
    await thread.terminate()
  },
}

/** A thread's start loads the code, which takes longer than most calls: a released thread serves the next start. */
export function reusedThreads(): Threads {
  const free = new Set<Worker>()
  const kinds = new WeakMap<Worker, string>()
  return {
    start(options) {
      const kind = JSON.stringify([options.file.href, options.resourceLimits])
      const thread = [...free].find((each) => kinds.get(each) === kind)
      if (thread === undefined) {
        const started = startThread(options)
        kinds.set(started, kind)
        return started
      }
      free.delete(thread)
      stopListening(thread)
      thread.postMessage({ kind: 'open', data: options.data } satisfies ThreadMessage)
      return thread
    },
    end: newThreads.end,
    async release(thread) {
      if (!(await closeThread(thread))) return newThreads.end(thread)
      stopListening(thread)
      thread.unref()
      for (const end of ['error', 'exit']) thread.on(end, () => free.delete(thread))
      free.add(thread)
    },
  }
}
