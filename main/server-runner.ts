// Runs the server as a utility process: ready by message, restarted with backoff, given up with a reason.
import type { UtilityProcess } from 'electron/main'
import { decideRestart } from './decisions/restart-policy.ts'
import type { Electron, Timer } from './electron.ts'
import { type FromServer, readServerMessage, type ServerStart } from './server-messages.ts'

const readyWithin = 60_000
const stopsWithin = 10_000
const keptLines = 12

export type ServerState =
  | { kind: 'starting' }
  | { kind: 'ready'; listening: string; open: string }
  | { kind: 'restarting'; delay: number }
  | { kind: 'failed'; reason: string }
  | { kind: 'stopped' }

export interface ServerRunner {
  readonly state: ServerState
  start(): void
  /** Starts over after a failure that the person has seen. */
  retry(): void
  /** Ends the server for good; resolves once it has gone. */
  stop(): Promise<void>
}

/**
 * @param script path of the server process's built module
 * @param start asked at each start, since a key may be had later
 * @param changed told every new state
 */
export function serverRunner(
  electron: Pick<Electron, 'utilityProcess'>,
  timer: Timer,
  script: string,
  start: () => ServerStart,
  changed: (state: ServerState) => void,
): ServerRunner {
  let state: ServerState = { kind: 'stopped' }
  let child: UtilityProcess | null = null
  let ends: number[] = []
  let callOff = () => {}

  function enter(next: ServerState): void {
    state = next
    changed(next)
  }

  function run(): void {
    callOff()
    enter({ kind: 'starting' })
    const task = prepared()
    if (task === null) return
    const lines: string[] = []
    const own = electron.utilityProcess.fork(script, [], { serviceName: 'Almanac server', stdio: 'pipe' })
    child = own
    for (const stream of [own.stdout, own.stderr]) {
      stream?.on('data', (chunk: Buffer) => keepLines(lines, chunk))
    }
    own.on('message', (message) => heard(readServerMessage(message)))
    own.on('exit', (code) => ended(own, `It ended with code ${code}.`, lines))
    own.postMessage(task)
    callOff = timer.after(readyWithin, () => {
      lines.push(`It was not ready within ${readyWithin / 1000} seconds.`)
      own.kill()
    })
  }

  /** What the server is told; null where it cannot even be said, as with a damaged key file. */
  function prepared(): ServerStart | null {
    try {
      return start()
    } catch (error) {
      enter({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      return null
    }
  }

  function heard(message: FromServer | null): void {
    if (state.kind !== 'starting' || message === null) return
    callOff()
    if (message.kind === 'ready') return enter(message)
    // What the server itself cannot do, another start of it cannot either.
    enter({ kind: 'failed', reason: message.reason })
    child?.kill()
  }

  function ended(own: UtilityProcess, how: string, lines: readonly string[]): void {
    if (own !== child) return
    child = null
    callOff()
    if (state.kind === 'failed' || state.kind === 'stopped') return
    ends.push(timer.now())
    const decision = decideRestart(ends)
    if (!decision.again) {
      return enter({ kind: 'failed', reason: ['The server keeps ending.', how, ...lines].join('\n') })
    }
    enter({ kind: 'restarting', delay: decision.delay })
    callOff = timer.after(decision.delay, run)
  }

  return {
    get state() {
      return state
    },
    start: run,
    retry() {
      if (state.kind !== 'failed') return
      ends = []
      run()
    },
    async stop() {
      callOff()
      enter({ kind: 'stopped' })
      const own = child
      if (!own) return
      await new Promise<void>((gone) => {
        own.once('exit', () => gone())
        callOff = timer.after(stopsWithin, gone)
        own.kill()
      })
      callOff()
    },
  }
}

function keepLines(lines: string[], chunk: Buffer): void {
  lines.push(
    ...chunk
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== ''),
  )
  lines.splice(0, Math.max(0, lines.length - keptLines))
}
