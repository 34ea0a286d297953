// Starts the process that saves and sends, and ends it: with SIGKILL, or properly.
import { spawn, type ChildProcess } from 'node:child_process'
import { bundled } from '../../support/bundled.mjs'
import type { PlantedFault } from './planted-faults.ts'
import type { NarrowPoint } from './watched-writes.ts'

const file = bundled('vitest', 'outbox-child')

export interface ProcessOptions {
  saves?: number
  /** Where it stops, how often it passes there before, and how: for good, as a whole, or only this write. */
  stop?: { at: NarrowPoint; passes: number; how: 'halt' | 'pause' | 'hold' } | undefined
  planted?: PlantedFault | undefined
}

export class SendingProcess {
  /** The saves that it has acknowledged: `<number> <turn>`. */
  readonly saved: string[] = []
  readonly errors: string[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #waiting: { line: string; reached: () => void }[] = []

  constructor(
    dir: string,
    clockFolder: string,
    { saves = 0, stop, planted = undefined }: ProcessOptions = {},
  ) {
    const args = [
      file,
      dir,
      clockFolder,
      String(saves),
      stop?.at ?? '-',
      String(stop?.passes ?? 0),
      planted ?? '-',
      stop?.how ?? 'halt',
    ]
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let rest = ''
    this.#child.stdout!.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop()!
      for (const line of lines) this.#read(line)
    })
    this.#child.stderr!.on('data', (chunk: Buffer) => this.errors.push(chunk.toString()))
    this.#ended = new Promise((resolve) => this.#child.on('close', () => resolve()))
  }

  /** Resolves when the process prints the line or ends. */
  async reaches(line: string): Promise<void> {
    await Promise.race([new Promise<void>((reached) => this.#waiting.push({ line, reached })), this.#ended])
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  /** Lets the write go on that is held. */
  release(): void {
    this.#child.kill('SIGUSR2')
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#ended
  }

  #read(line: string): void {
    const [word, ...rest] = line.split(' ')
    if (word === 'saved') this.saved.push(rest.join(' '))
    if (word === 'error') this.errors.push(rest.join(' '))
    for (const each of this.#waiting) if (each.line === line) each.reached()
  }
}
