// A process in which servers start and end at the word of its parent: its code is loaded and compiled once for all tests.
import { startServer, type RunningServer } from '../../../server/index.ts'

export type HostAsk = { id: number } & (
  { start: { org: string; root: string; port: number } } | { stop: string }
)
export type HostReply = { id: number } & ({ listening: string; open: string } | { error: string } | object)

const running = new Map<string, RunningServer>()

async function run(ask: HostAsk): Promise<object> {
  if ('stop' in ask) {
    await running.get(ask.stop)?.close()
    running.delete(ask.stop)
    return {}
  }
  const server = await startServer({ ...ask.start, host: '127.0.0.1', studio: true, sample: false })
  const { listening, open } = server
  running.set(listening, server)
  return { listening, open }
}

process.on('message', (ask: HostAsk) => {
  run(ask).then(
    (reply) => process.send?.({ id: ask.id, ...reply }),
    (error: unknown) => process.send?.({ id: ask.id, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
