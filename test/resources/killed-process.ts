// Starts a measured server, reports its process, and waits to be killed.
import { measuredServer } from './measured-server.ts'

const { pid } = await measuredServer()
process.send!(pid)
setInterval(() => undefined, 1000)
