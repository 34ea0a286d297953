// Electron's utility process as a real Node process: it has process.parentPort, and its parent receives its messages
// and can end it.
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

const inside = join(import.meta.dirname, 'inside-utility-process.ts')

export class RealUtilityProcess extends EventEmitter {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly pid: number
  /** The messages of the process, in order. */
  readonly messages: Record<string, unknown>[] = []
  private readonly child: ChildProcess

  /** @param module the module that the process runs */
  constructor(module: string) {
    super()
    this.child = fork(inside, [resolve(module)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    this.stdout = this.child.stdout!
    this.stderr = this.child.stderr!
    this.pid = this.child.pid!
    this.child.on('message', (message: Record<string, unknown>) => {
      this.messages.push(message)
      this.emit('message', message)
    })
    this.child.on('exit', (code, signal) => this.emit('exit', code ?? (signal ? 137 : 0)))
  }

  postMessage(message: object): void {
    if (this.child.connected) this.child.send(message)
  }
  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    return this.child.kill(signal)
  }
}
