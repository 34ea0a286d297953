// The command line as a user starts it: a process, its time and its peak memory.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ProcessRun {
  stdout: string
  /** Whether the limit ended the process. */
  stopped: boolean
  /** Milliseconds from start to exit. */
  ms: number
  /** Highest resident set in bytes; null if the system does not report it (it is read from /proc). */
  peak: number | null
}

const bin = fileURLToPath(new URL('../../../server/bin.mjs', import.meta.url))

/**
 * Any exit code is accepted if `code` is null.
 * @throws Error with the output of the process if it exits with a different code
 */
export function almanac(args: readonly string[], expectedCode: number | null = 0): Promise<ProcessRun> {
  return timedProcess(process.execPath, [bin, ...args], { expectedCode })
}

export interface ProcessOptions {
  cwd?: string
  env?: Record<string, string>
  expectedCode?: number | null
  /** Milliseconds after which the process is killed. */
  limit?: number
}

export function timedProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessRun> {
  const { cwd, env, expectedCode = 0, limit } = options
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    let peak: number | null = null
    let stopped = false
    const stop = limit === undefined ? undefined : setTimeout(() => (stopped = child.kill('SIGKILL')), limit)
    const watch = setInterval(() => (peak = peakOf(child.pid) ?? peak), 50)
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', (error) => {
      clearInterval(watch)
      clearTimeout(stop)
      reject(error)
    })
    child.on('close', (code) => {
      clearInterval(watch)
      clearTimeout(stop)
      const ms = performance.now() - started
      if (stopped || code === expectedCode || expectedCode === null) resolve({ stdout, ms, peak, stopped })
      else
        reject(
          new Error(`${command} ${args.join(' ')} ended with ${code}: ${(stderr + stdout).slice(0, 2000)}`),
        )
    })
  })
}

/** VmHWM never falls, so the last value before the exit is the peak, except for the last moment. */
function peakOf(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}
