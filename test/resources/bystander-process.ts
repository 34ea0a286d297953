// A process that has nothing to do with the server and only looks at the clock: what the machine makes anybody wait.
const everyMs = 1
let longest = 0
let due = performance.now()

function look(): void {
  const now = performance.now()
  longest = Math.max(longest, now - due)
  due = Math.max(due + everyMs, now)
  setTimeout(look, due - now)
}
look()

process.on('message', (command: 'start' | 'stop') => {
  process.send!(longest)
  if (command === 'start') longest = 0
})
process.on('disconnect', () => process.exit(0))
