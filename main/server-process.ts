// The server beside the window, in Electron's utility process: started by a message, ready by a message.
import { startServer } from '../server/index.ts'
import type { FromServer, ServerStart } from './server-messages.ts'

const parent = process.parentPort

parent.once('message', ({ data }) => {
  void serve(data as ServerStart)
})

async function serve({ org, root, vaultKey }: ServerStart): Promise<void> {
  try {
    const server = await startServer({
      org,
      root,
      host: '127.0.0.1',
      port: 0,
      studio: true,
      sample: true,
      vaultKey,
    })
    process.once('SIGTERM', () => void server.close().finally(() => process.exit(0)))
    say({ kind: 'ready', listening: server.listening, open: server.open ?? server.listening })
  } catch (error) {
    say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

function say(message: FromServer): void {
  parent.postMessage(message)
}
