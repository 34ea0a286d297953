// The command line as a process: its arguments, its exit code, and what happens when nobody reads its output.
import { main } from './cli/main.ts'

// Whoever reads may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`The output cannot be written: ${error.message}.\n`)
  process.exit(1)
})
process.exitCode = await main(process.argv.slice(2))
