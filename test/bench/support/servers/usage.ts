// What a server of a benchmark reports to the process that started it: its address, and its processor time on request.

/** Sends the address, then for every message the processor time so far, in microseconds. */
export function answerUsage(url: string, close: () => unknown): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: user + system })
  })
  process.on('disconnect', () => {
    close()
    process.exit(0)
  })
  process.send!({ url })
}
