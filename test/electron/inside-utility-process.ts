// Gives a Node process what Electron gives a utility process, then runs the given module.
import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'

const port = new EventEmitter()
// As in Electron: messages wait until there is a listener.
const waiting: unknown[] = []
port.on('newListener', (name) => {
  if (name !== 'message') return
  queueMicrotask(() => {
    for (const data of waiting.splice(0)) port.emit('message', { data })
  })
})
process.on('message', (data) => {
  if (port.listenerCount('message') > 0) port.emit('message', { data })
  else waiting.push(data)
})
// A utility process ends with the process that forked it.
process.on('disconnect', () => process.exit(1))

Object.assign(process, {
  parentPort: Object.assign(port, { postMessage: (message: object) => process.send!(message) }),
})
await import(pathToFileURL(process.argv[2]!).href)
