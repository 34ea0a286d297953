// An unrelated process that only watches the clock: how long the machine itself delays any process.
import { spawn } from 'node:child_process'

export interface Bystander {
  /** Milliseconds of the longest delay since the start. */
  stop(): Promise<number>
}

/** Wakes at a fixed pace, like the readers, and records its longest delay. */
const program = `
const every = Number(process.argv[1])
let longest = 0, due = performance.now()
const next = () => {
  const now = performance.now()
  longest = Math.max(longest, now - due)
  due = Math.max(due + every, now)
  setTimeout(next, due - now)
}
process.once('message', () => process.send(longest, () => process.exit()))
process.send('ready')
next()
`

/** Resolves once the process watches the clock. `every` is its pace in milliseconds. */
export async function startBystander(every: number): Promise<Bystander> {
  const child = spawn(process.execPath, ['--input-type=commonjs', '-e', program, String(every)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const nextMessage = (): Promise<unknown> => new Promise((resolve) => child.once('message', resolve))
  await nextMessage()
  return {
    stop: async () => {
      const longest = nextMessage()
      child.send('stop')
      return (await longest) as number
    },
  }
}
