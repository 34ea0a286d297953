// The last lines that a process wrote, for the page that shows why it ended.

const maxLines = 40
const maxLineLength = 2_000

export interface LineTail {
  add(chunk: Buffer | string): void
  /** The last lines, oldest first, including one that is still being written. */
  lines(): readonly string[]
}

export function lineTail(): LineTail {
  const whole: string[] = []
  let open = ''
  return {
    add(chunk) {
      const parts = (open + chunk.toString()).split('\n')
      open = (parts.pop() ?? '').slice(0, maxLineLength)
      whole.push(...parts.filter((line) => line.trim() !== '').map((line) => line.slice(0, maxLineLength)))
      whole.splice(0, Math.max(0, whole.length - maxLines))
    },
    lines: () => (open.trim() === '' ? [...whole] : [...whole, open]),
  }
}
