// The worker for rows: it writes what transactions of the records with many items have computed.
import { parentPort } from 'node:worker_threads'
import { openRecordStore, WriteServer, type ToWriter } from '../storage/sqlite/index.ts'
import { closedMessage, type ThreadMessage } from './threads.ts'
import type { RowsWorkerData } from './rows-thread.ts'

const port = parentPort!
let store: ReturnType<typeof openRecordStore> | null = null
let server: WriteServer | null = null

port.on('message', (message: ToWriter | ThreadMessage) => {
  if (message.kind === 'open') {
    const { file, busyMs } = message.data as RowsWorkerData
    store = openRecordStore(file, { busyMs })
    server = new WriteServer(store, (reply) => port.postMessage(reply))
  } else if (message.kind === 'close') void close()
  else server!.receive(message)
})

async function close(): Promise<void> {
  await store?.close()
  store = server = null
  port.postMessage(closedMessage)
}
