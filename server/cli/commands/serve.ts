// almanac serve: prints one JSON line once it is ready, and stops cleanly on SIGTERM.
import { fileURLToPath } from 'node:url'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { startServer } from '../../index.ts'
import { headersVariable } from '../../otlp/index.ts'
import { UsageError } from '../fail.ts'
import { openStudio } from '../open-studio.ts'
import { hasFlag, integerOption, listOption, textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

const preferredPort = 4680

export const run: Run = async (call) => {
  const [cert, key] = [textOption(call, 'tlsCert'), textOption(call, 'tlsKey')]
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('--tls-cert and --tls-key must be used together.')
  if (hasFlag(call, 'open') && !hasFlag(call, 'studio'))
    throw new UsageError('--open opens the studio, so it needs --studio.')
  const endpoint = textOption(call, 'otlpEndpoint')
  const starting = startServer({
    org: call.orgPlace ?? '.',
    root: fileURLToPath(new URL('../../../', import.meta.url)),
    host: textOption(call, 'host') ?? '127.0.0.1',
    port: integerOption(call, 'port') ?? preferredPort,
    studio: hasFlag(call, 'studio'),
    sample: hasFlag(call, 'sample'),
    behindProxy: hasFlag(call, 'behindProxy'),
    publicHosts: listOption(call, 'publicHost'),
    publicUrl: textOption(call, 'publicUrl'),
    allowTargets: listOption(call, 'allowTarget'),
    otlp: endpoint === undefined ? undefined : { endpoint, headers: process.env[headersVariable] },
    log: hasFlag(call, 'log') ? 'requests' : 'errors',
    ...(cert === undefined || key === undefined ? {} : { tls: { cert, key } }),
  })
  const server = await starting.catch((error: unknown) => {
    // Only its flags decide where it listens.
    throw error instanceof AlmanacError && error.code === 'server.cannot_start'
      ? new UsageError(error.message)
      : error
  })
  const { listening, open: link } = server
  // Listens for signals before printing the line: its reader may stop the server immediately.
  const end = waitForSignal()
  const opened = hasFlag(call, 'open') && link !== undefined ? openStudio(link) : null
  server.onLinkUsed(() => opened?.cleanUp())
  // Prints one line of JSON with and without --json: programs wait for it.
  const line = {
    listening,
    ...(link === undefined ? {} : { open: link }),
    ...(opened === null ? {} : { browser: opened.started }),
  }
  call.terminal.raw(`${JSON.stringify(line)}\n`)
  if (opened !== null) call.terminal.note(browserNote(opened.started))
  await end
  opened?.cleanUp()
  await server.close()
}

function browserNote(started: boolean): string {
  return started
    ? 'Opening the studio in your browser. If it does not appear, open the printed link, which works once.'
    : 'Cannot open a browser on this machine. Open the printed link, which works once.'
}

/** Resolves on Ctrl+C, SIGTERM, or a hang-up of the terminal. A second signal ends the process immediately. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
