// How fast this thread runs at the moment. Processor time does not count what others run, but it counts what they slow
// down: a core that shares its units or its caches with a busy one takes twice as long for the same work, and so does
// an older machine.

/** Processor milliseconds of the sample on the machine where the bounds were set, with its other core busy. */
const referenceMs = 24
const attempts = 3
const rounds = 8
const rows = Array.from({ length: 4000 }, (_, at) => ({ id: `row_${at}`, digest: `${at * 7919}`.padStart(64, '0') }))

/** The speed of this thread: 1 where the bounds were set and on faster machines, 0.5 if it needs twice the time. */
export function machineSpeed(): number {
  const least = Math.min(...Array.from({ length: attempts }, sampleMs))
  return Math.min(1, referenceMs / least)
}

/** What requests do most: texts, objects, maps, and memory to collect. */
function sampleMs(): number {
  const start = process.threadCpuUsage()
  let length = 0
  for (let round = 0; round < rounds; round += 1) {
    const byId = new Map((JSON.parse(JSON.stringify(rows)) as typeof rows).map((row) => [row.id, row]))
    for (const { digest } of byId.values()) length += digest.length
  }
  const { user, system } = process.threadCpuUsage(start)
  return length === 0 ? 0 : (user + system) / 1000
}
