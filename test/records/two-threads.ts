// A store of which each write is computed and written by two sides. Both are in this thread, so that a program takes no
// longer to start; what they send each other is copied as between threads.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type Worker } from 'node:worker_threads'
import type { RecordStore } from '../../server/ports/record-store.ts'
import {
  createSqliteStore,
  openRecordStore,
  openSqliteStore,
  WriteServer,
  type ThreadSource,
  type ToWriter,
} from '../../server/storage/sqlite/index.ts'

export interface TwoThreads {
  /** `write` is `writeMany`. */
  store: RecordStore
  path: string
  /** Called before the side that writes receives a message. */
  before: (message: ToWriter) => Promise<void> | void
  /** Ends the side that writes, as if its thread had died. */
  kill(): void
  close(): Promise<void>
}

/** @param busyMs how long both sides wait for a different process */
export function openTwoThreads({ busyMs }: { busyMs?: number } = {}): TwoThreads {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-threads-'))
  const path = join(folder, 'org.sqlite')
  const facts = { lineage: 't', name: 'T', environment: 'test', createdAt: '2026-01-01T00:00:00.000Z' }
  createSqliteStore(path, { ...facts, sliceBudget: 1024 }).close()
  openSqliteStore(path).close()
  const writer = sideThatWrites(path, busyMs, (message) => opened.before(message))
  const store = openRecordStore(path, { busyMs, writingThread: writer.source })
  const opened: TwoThreads = {
    before: () => undefined,
    store: new Proxy<RecordStore>(store, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name === 'write' ? 'writeMany' : name, of)
        return typeof value === 'function' ? (value.bind(of) as unknown) : value
      },
    }),
    path,
    kill: writer.kill,
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return opened
}

function sideThatWrites(
  path: string,
  busyMs: number | undefined,
  before: TwoThreads['before'],
): { source: ThreadSource; kill: () => void } {
  let end = (): void => undefined
  const start = (): Worker => {
    const { port1, port2 } = new MessageChannel()
    const store = openRecordStore(path, { busyMs })
    const server = new WriteServer(store, (message) => port2.postMessage(message))
    let last = Promise.resolve()
    port2.on('message', (message: ToWriter) => {
      last = last.then(async () => {
        await before(message)
        server.receive(message)
      })
    })
    end = () => {
      port2.close()
      // Its transaction is rolled back by the end of its connection.
      server.receive({ kind: 'roll_back' })
      void store.close().then(() => port1.emit('exit', 0))
    }
    return port1 as unknown as Worker
  }
  return { source: { start, release: async () => end() }, kill: () => end() }
}
