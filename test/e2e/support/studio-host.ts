// A process that starts and stops servers for its parent, so that their code is loaded and compiled once for all tests.
import { reusedThreads } from '../../../server/compose/threads.ts'
import { startServer, type RunningServer } from '../../../server/index.ts'

/** `stop` names a server by its URL. */
export type HostRequest = { start: { org: string; root: string; port: number } } | { stop: string }
export type HostReply = { listening: string; open: string } | { error: string } | object

const threads = reusedThreads()
const running = new Map<string, RunningServer>()

async function run(request: HostRequest): Promise<HostReply> {
  if ('stop' in request) {
    await running.get(request.stop)?.close()
    running.delete(request.stop)
    return {}
  }
  const server = await startServer({
    ...request.start,
    host: '127.0.0.1',
    studio: true,
    sample: false,
    warm: false,
    threads,
  })
  const { listening, open } = server
  running.set(listening, server)
  return { listening, open }
}

process.on('message', ({ id, request }: { id: number; request: HostRequest }) => {
  run(request).then(
    (reply) => process.send?.({ id, reply }),
    (error: unknown) => process.send?.({ id, reply: { error: String(error) } }),
  )
})
process.on('disconnect', () => process.exit())
