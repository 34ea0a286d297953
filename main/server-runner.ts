// Runs the server as a utility process: reports readiness by message, restarts it with back-off, and gives up with a
// reason.
import type { UtilityProcess } from 'electron/main'
import { decideRestart } from './decisions/restart-policy.ts'
import type { Electron, Timer } from './electron.ts'
import { lineTail } from './line-tail.ts'
import {
  type CustodyRequest,
  type CustodyReply,
  type FromServer,
  readServerMessage,
  type ServerStart,
  type ToServer,
} from './server-messages.ts'

const readyTimeoutMs = 60_000
const stopTimeoutMs = 10_000

export type ServerState =
  | { kind: 'starting' }
  | { kind: 'ready'; listening: string; open: string }
  | { kind: 'restarting'; delay: number }
  /** `log` holds the last lines that the server wrote, oldest first. */
  | { kind: 'failed'; reason: string; log: readonly string[] }
  | { kind: 'stopped' }

export interface ServerRunner {
  readonly state: ServerState
  start(): void
  /** Starts the server again after a failure that the user has seen. */
  retry(): void
  /** Ends the server; resolves once it has exited. */
  stop(): Promise<void>
}

export interface ServerHandlers {
  /** The message to the server at each start, since a key can become available later. */
  startMessage(): Promise<ServerStart>
  /** Called with every new state. */
  onStateChange(state: ServerState): void
  /** Replies to the server's requests about secrets; never rejects. */
  answerCustody(ask: CustodyRequest): Promise<CustodyReply>
}

/** @param script path of the server process's built module */
export function serverRunner(
  electron: Pick<Electron, 'utilityProcess'>,
  timer: Timer,
  script: string,
  duties: ServerHandlers,
): ServerRunner {
  let state: ServerState = { kind: 'stopped' }
  let child: UtilityProcess | null = null
  let ends: number[] = []
  let run = 0
  let callOff = () => {}

  function enter(next: ServerState): void {
    state = next
    duties.onStateChange(next)
  }

  function start(): void {
    callOff()
    const mine = ++run
    enter({ kind: 'starting' })
    duties.startMessage().then(
      (task) => mine === run && fork(task),
      // A failure before the server can be started, such as a damaged key file.
      (error: unknown) => mine === run && enter({ kind: 'failed', reason: errorText(error), log: [] }),
    )
  }

  function fork(task: ServerStart): void {
    const log = lineTail()
    const own = electron.utilityProcess.fork(script, [], { serviceName: 'Almanac server', stdio: 'pipe' })
    child = own
    for (const stream of [own.stdout, own.stderr]) stream?.on('data', log.add)
    own.on('error', (type, location) => log.add(`${type} at ${location}\n`))
    own.on('message', (message) => handleMessage(own, readServerMessage(message), log.lines))
    own.on('exit', (code) => handleExit(own, code, log.lines))
    sendMessage(own, task)
    callOff = timer.after(readyTimeoutMs, () => {
      log.add(`It was not ready within ${readyTimeoutMs / 1000} seconds.\n`)
      own.kill()
    })
  }

  function handleMessage(
    own: UtilityProcess,
    message: FromServer | null,
    log: () => readonly string[],
  ): void {
    if (message === null || own !== child) return
    if (message.kind !== 'ready' && message.kind !== 'failed') {
      void duties.answerCustody(message).then((reply) => {
        if (own === child) sendMessage(own, reply)
      })
      return
    }
    if (state.kind !== 'starting') return
    callOff()
    if (message.kind === 'ready') return enter(message)
    // If the server itself cannot do it, another start would fail too.
    enter({ kind: 'failed', reason: message.reason, log: log() })
    own.kill()
  }

  function handleExit(own: UtilityProcess, code: number, log: () => readonly string[]): void {
    if (own !== child) return
    child = null
    callOff()
    if (state.kind === 'failed' || state.kind === 'stopped') return
    ends.push(timer.now())
    const decision = decideRestart(ends)
    if (!decision.again) {
      const reason = `The server keeps crashing. ${exitText(code)}`
      return enter({ kind: 'failed', reason, log: log() })
    }
    enter({ kind: 'restarting', delay: decision.delay })
    callOff = timer.after(decision.delay, start)
  }

  return {
    get state() {
      return state
    },
    start,
    retry() {
      if (state.kind !== 'failed') return
      ends = []
      start()
    },
    async stop() {
      callOff()
      run++
      enter({ kind: 'stopped' })
      const own = child
      if (!own) return
      await new Promise<void>((gone) => {
        own.once('exit', () => gone())
        callOff = timer.after(stopTimeoutMs, () => {
          own.kill()
          gone()
        })
        // Ends it by a message, because ending a process on Windows leaves it no time to close its files.
        sendMessage(own, { kind: 'stop' })
      })
      callOff()
    },
  }
}

function sendMessage(process: UtilityProcess, message: ToServer): void {
  process.postMessage(message)
}

function exitText(code: number): string {
  return code === 0 ? 'It last exited without an error.' : `It last exited with code ${code}.`
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
