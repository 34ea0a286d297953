// A part of the benchmarks, and its result: lines of a table.

export interface PartContext {
  /** A temporary folder for this part, removed afterwards. */
  folder: string
  /** Reports progress on standard error. */
  say(text: string): void
}

export interface Line {
  what: string
  work: string
  ours: string
  /** Peer or lower bound with its figure; empty if the target is a plain number. */
  against: string
  ratio: string
  aim: string
  /** Null without a target, or if nothing was measured. */
  met: boolean | null
}

export interface PartReport {
  lines: Line[]
  notes: string[]
}

export interface Part {
  name: string
  title: string
  run(context: PartContext): Promise<PartReport>
}

/** `0.041 µs`, `12.3 ms`, `1.52 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 0.1) return `${digits(ms * 1000)} µs`
  if (ms < 1000) return `${digits(ms)} ms`
  if (ms < 100_000) return `${digits(ms / 1000)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** Three significant digits. */
export function digits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(value < 0.1 ? 2 : 3)
}

export function times(ratio: number): string {
  return `${ratio >= 100 ? Math.round(ratio) : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)}×`
}
