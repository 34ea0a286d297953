// Calls the host process while the test waits for it, so that a test calls the command line like a function.
import { fork, type ChildProcess } from 'node:child_process'
import { runAsWorker } from 'synckit'
import { bundled } from '../support/bundled.mjs'
import type { HostAnswer, HostCall } from './host.ts'

let host: ChildProcess | undefined

runAsWorker((call: HostCall): Promise<HostAnswer> => {
  const child = (host ??= started(call.env))
  return new Promise((resolve) => {
    const ended = (code: number | null): void => {
      host = undefined
      resolve({ code, out: '', err: `The host of the command line ended with ${code}.` })
    }
    child.once('exit', ended)
    child.once('message', (answer: HostAnswer) => {
      child.off('exit', ended)
      resolve(answer)
    })
    child.send(call)
  })
})

function started(env: NodeJS.ProcessEnv): ChildProcess {
  return fork(bundled('vitest', 'cli-host'), {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
