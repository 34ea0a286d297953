// Starts the applying process and kills it, at a stage that it reports or after a delay.
import { spawn, type ChildProcess } from 'node:child_process'
import type { FaultPoint } from '../../server/pipeline/index.ts'
import { bundled } from '../support/bundled.mjs'

export const childFile = bundled('vitest', 'apply-child')
const requestFile = bundled('vitest', 'request-child')

export interface Killed {
  /** Last generation and value that the child acknowledged before it died; null if none. */
  acknowledged: { generation: number; value: number } | null
  /** Whether the child reached the stage, or was still running after the delay. */
  reached: boolean
}

/** Applies `value` and is killed at `stage`. */
export function killAt(dir: string, value: number, stage: FaultPoint): Promise<Killed> {
  return run([dir, String(value), stage, '1'], killedAt(stage))
}

/** Applies a change request and is killed at `stage`. */
export function killRequestAt(dir: string, id: string, stage: FaultPoint): Promise<Killed> {
  return run([dir, id, stage], killedAt(stage), requestFile)
}

function killedAt(stage: FaultPoint): OnLine {
  return (line, kill) => {
    if (line === `at ${stage}`) kill()
  }
}

/**
 * Applies one value after another and is killed `delay` milliseconds after it opened the org, or after it acknowledged
 * a number of applies.
 */
export function killAfter(
  dir: string,
  value: number,
  { applies, delay }: { applies: number; delay: number },
): Promise<Killed> {
  let done = 0
  return run([dir, String(value), '-', '1000'], (line, kill) => {
    if (line.startsWith('done ')) done += 1
    else if (line !== 'open') return
    if (done === applies) setTimeout(kill, delay)
  })
}

/** Applies `applies` values without interruption. Returns the generations that it acknowledged. */
export function applyAll(dir: string, value: number, applies: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const args = [childFile, dir, String(value), '-', String(applies)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const generations: number[] = []
    linesOf(child, (line) => {
      const [word, generation] = line.split(' ')
      if (word === 'done') generations.push(Number(generation))
    })
    child.on('close', (code) => {
      if (code === 0) resolve(generations)
      else reject(new Error(`The child exited with ${code}.`))
    })
  })
}

type OnLine = (line: string, kill: () => void) => void

function run(args: string[], onLine: OnLine, file = childFile): Promise<Killed> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const killed: Killed = { acknowledged: null, reached: false }
    const kill = (): void => {
      killed.reached = true
      child.kill('SIGKILL')
    }
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    linesOf(child, (line) => {
      const [word, generation, value] = line.split(' ')
      if (word === 'done') killed.acknowledged = { generation: Number(generation), value: Number(value) }
      onLine(line, kill)
    })
    child.on('close', (code) => {
      if (code === null) resolve(killed)
      else reject(new Error(`The child exited with ${code} before it was killed. ${errors}`))
    })
  })
}

function linesOf(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop()!
    lines.forEach(onLine)
  })
}
