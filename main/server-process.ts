// The server for the window, in Electron's utility process: started by a message, reports ready by a message.
import { type RunningServer, startServer, type StartOptions } from '../server/index.ts'
import type { CustodyChannel } from '../server/ports/secret-custody.ts'
import type { FromServer, ServerStart, ToServer } from './server-messages.ts'

const parent = process.parentPort
/** The desktop process keeps secrets, because it has the keychain. */
const custody: CustodyChannel = {
  send: (ask) => sendMessage(ask),
  listen: (listener) => void parent.on('message', ({ data }) => listener(data)),
}
let running: Promise<RunningServer> | null = null

parent.on('message', ({ data }) => handleMessage(data as ToServer))

function handleMessage(message: ToServer): void {
  switch (message.kind) {
    case 'start':
      running ??= open(message)
      running.then(
        (server) =>
          sendMessage({ kind: 'ready', listening: server.listening, open: server.open ?? server.listening }),
        (error: unknown) =>
          sendMessage({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
      )
      return
    case 'stop':
      void stop()
      return
    case 'custody/answer':
    case 'custody/refused':
      // The server itself, which sent the request, handles it.
      return
    default:
      message satisfies never
  }
}

async function stop(): Promise<void> {
  try {
    await (await running)?.close()
  } finally {
    process.exit(0)
  }
}

/**
 * Listens on the earlier port of the studio if it is free, because the data of its pages in the window belongs to that
 * origin.
 */
async function open({ org, sample, root, port, vaultKey }: ServerStart): Promise<RunningServer> {
  const options: Omit<StartOptions, 'port'> = {
    org,
    root,
    host: '127.0.0.1',
    studio: true,
    sample,
    vaultKey,
    custody,
    // A window cannot sign in again with a password; its cookie is in memory, so both end with the application.
    linkLimits: { idleMs: Infinity, maxMs: 366 * 24 * 60 * 60 * 1000 },
  }
  if (port === null) return startServer({ ...options, port: 0 })
  return startServer({ ...options, port }).catch(() => startServer({ ...options, port: 0 }))
}

function sendMessage(message: FromServer): void {
  parent.postMessage(message)
}

process.once('SIGTERM', () => void stop())
