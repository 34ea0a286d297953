// Where and when figures were taken, so that they are not compared with those of another machine.
import { execFileSync } from 'node:child_process'
import { cpus, totalmem, type } from 'node:os'

/** `Intel(R) Xeon(R), 2 cores, 24 GB, Linux, Node 24.21.0`. */
export function machine(): string {
  const cores = cpus()
  const memory = Math.round(totalmem() / 1e9)
  return `${cores[0]?.model.trim() ?? 'unknown processor'}, ${cores.length} cores, ${memory} GB, ${type()}, Node ${process.versions.node}`
}

/** `2026-11-21, commit 1a2b3c4, on <machine>`. */
export function whenAndWhere(): string {
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, on ${machine()}`
}

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim()
  try {
    const changed = git('status', '--porcelain', '--', ':/server', ':/test/bench') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
