// The command line, called repeatedly in one process: its start takes longer than most commands.
import { Writable } from 'node:stream'
import { main } from '../../server/cli/main.ts'
import type { HostAnswer, HostCall } from './host.ts'

process.on('disconnect', () => process.exit())
process.on('message', (call: HostCall) => void run(call).then((answer) => process.send!(answer)))

async function run({ args, cwd, env }: HostCall): Promise<HostAnswer> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  const [out, err] = [captured('stdout'), captured('stderr')]
  let code = 1
  try {
    code = await main(args)
  } catch (error) {
    // As Node does with an uncaught exception.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
  return { code, out: out(), err: err() }
}

/** Records what the process writes there from now on; returns a function that reads it. */
function captured(name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = []
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  Object.defineProperty(process, name, { value: stream, configurable: true })
  return () => Buffer.concat(chunks).toString('utf8')
}
