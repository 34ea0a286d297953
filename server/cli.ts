// The process of the command line: arguments, exit code, and a closed output.
import { main } from './cli/main.ts'

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`The output cannot be written: ${error.message}.\n`)
  process.exit(1)
})
process.exitCode = await main(process.argv.slice(2))
