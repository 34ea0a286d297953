// A server in a process of its own, which writes the heaps of all its threads to files. It never receives a mark, except
// to plant one.
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { getHeapSnapshot } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { newThreads, type Threads } from '../../../server/compose/threads.ts'
import { startServer } from '../../../server/index.ts'
import { endWithParent } from '../../resources/end-with-parent.ts'

export type CanaryRequest =
  | { kind: 'snapshot'; folder: string; threads: 'all' | 'main' }
  | { kind: 'plant'; where: 'heap' | 'log'; text: string }
  | { kind: 'stop' }
export type CanaryReply =
  { kind: 'ready'; listening: string; open: string } | { kind: 'done'; files: string[] }

const [org, root] = process.argv.slice(2) as [string, string]
endWithParent(org)

const workers = new Map<Worker, string>()
const threads: Threads = {
  ...newThreads,
  start: (options) => {
    const thread = newThreads.start(options)
    workers.set(thread, options.file.pathname.split('/').at(-1)!)
    thread.once('exit', () => workers.delete(thread))
    return thread
  },
}
const server = await startServer({
  ...{ org, root, host: '127.0.0.1', port: 0, studio: true, sample: false, log: 'requests' },
  ...{ threads, limitsClients: false },
})

const reply = (message: CanaryReply): void => void process.send!(message)
const planted: unknown[] = []

async function snapshot({
  folder,
  threads: which,
}: Extract<CanaryRequest, { kind: 'snapshot' }>): Promise<string[]> {
  const files: string[] = []
  const write = async (name: string, heap: NodeJS.ReadableStream): Promise<void> => {
    const file = join(folder, `${files.length}-${name}.heapsnapshot`)
    files.push(file)
    await pipeline(heap, createWriteStream(file))
  }
  // Secrets that a call has opened are kept for a second.
  await new Promise((done) => setTimeout(done, 1200))
  // Twice, because what is finalised by the first collection is freed by the second.
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc!()
    await new Promise((done) => setTimeout(done, 50))
  }
  await write('main', getHeapSnapshot())
  if (which === 'all')
    await Promise.all([...workers].map(async ([worker, name]) => write(name, await worker.getHeapSnapshot())))
  return files
}

process.on('message', (request: CanaryRequest) => void handle(request))
async function handle(request: CanaryRequest): Promise<void> {
  switch (request.kind) {
    case 'snapshot':
      return reply({ kind: 'done', files: await snapshot(request) })
    case 'plant':
      if (request.where === 'heap') planted.push({ text: request.text })
      if (request.where === 'log') process.stderr.write(`${request.text}\n`)
      return reply({ kind: 'done', files: [] })
    case 'stop':
      await server.close()
      return process.exit(0)
  }
}
reply({ kind: 'ready', listening: server.listening, open: server.open! })
